internal import CFaceVerify
internal import FaceVerify

@c(fv_version_number) @implementation
public func fv_version_number() -> UInt32 { UInt32(FV_VERSION_NUMBER) }

@c(fv_version_string) @implementation
public func fv_version_string() -> UnsafePointer<CChar>? { Constants.shared.text(FaceVerifyVersion.string) }

@c(fv_live_objects) @implementation
public func fv_live_objects() -> Int { Handles.owned }
