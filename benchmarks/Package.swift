// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of faceverify do not build its benchmarks. `benchmarks/run` builds it.
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
