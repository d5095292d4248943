internal import CFaceVerify
internal import FaceVerify

@c @implementation
public func fv_version_number() -> UInt32 {
  UInt32(FV_VERSION_MAJOR * 10000 + FV_VERSION_MINOR * 100 + FV_VERSION_PATCH)
}

@c @implementation
public func fv_version_string() -> UnsafePointer<CChar>? { HandleObject.constants.text(FaceVerifyVersion.string) }

@c @implementation
public func fv_live_objects() -> Int { Handles.owned }
