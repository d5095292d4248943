// swift-tools-version: 6.2
import PackageDescription

// A package that depends on faceverify as any other would: SwiftPM refuses this if faceverify used unsafe flags.
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
