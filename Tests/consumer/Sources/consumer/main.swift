import FaceVerify

print("consumer of FaceVerify \(FaceVerifyVersion.string)")
