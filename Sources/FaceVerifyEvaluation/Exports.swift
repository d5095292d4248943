@_exported public import FaceVerifyStore
