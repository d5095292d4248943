// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that whoever uses faceverify does not build its benchmarks. `benchmarks/run` builds it.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "faceverify", path: "..")],
  targets: [
    .executableTarget(
      name: "benchmark",
      dependencies: [.product(name: "FaceVerify", package: "faceverify")],
      path: "Sources",
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ])
  ],
  cxxLanguageStandard: .cxx17
)
