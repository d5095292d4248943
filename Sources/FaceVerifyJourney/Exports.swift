@_exported public import FaceVerify
