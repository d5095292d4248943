// swift-tools-version: 6.2
import PackageDescription

// An ordinary package that depends on faceverify: SwiftPM refuses dependencies with unsafe flags. After `scripts/setup`:
//
//     export PKG_CONFIG_PATH=$PWD/../../.deps/pkgconfig LD_LIBRARY_PATH=$PWD/../../.deps/openvino/lib
//     FACEVERIFY_MODELS=../../models swift run compare selfie.jpg portrait.jpg
let package = Package(
  name: "examples",
  dependencies: [.package(name: "faceverify", path: "../..")],
  targets: [
    .executableTarget(name: "compare", dependencies: [.product(name: "FaceVerify", package: "faceverify")]),
    .executableTarget(name: "journey", dependencies: [.product(name: "FaceVerify", package: "faceverify")]),
    .executableTarget(name: "liveness", dependencies: [.product(name: "FaceVerify", package: "faceverify")]),
  ],
  cxxLanguageStandard: .cxx17
)
