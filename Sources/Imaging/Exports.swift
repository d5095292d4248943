@_exported public import FaceVerifyBase
