// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// Optimising what `#expect` expands to takes as long as compiling the product. Tests that draw pictures are optimised all
// the same. No product contains test targets, so that other packages can still depend on this one.
let testSettings = swiftSettings + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]

// What a module exports is named with it: SwiftPM compiles a target anew only when something changed that it names, and how
// types lie in memory goes beyond one module.
let exported = ["FaceVerify", "DocumentImaging", "FaceAnalysis", "FaceVerifyBase", "IdentityDocuments", "Imaging"]
let verify = exported.map { Target.Dependency.target(name: $0) }
let journeys = verify + ["FaceVerifyJourney", "FaceVerifyStore"]

// The C and C++ libraries are named in one pkg-config file, which `scripts/setup` writes
// (PKG_CONFIG_PATH=.deps/pkgconfig). This keeps `unsafeFlags` out, so that other packages can depend on this one.
let package = Package(
  name: "faceverify",
  products: [
    .library(
      name: "FaceVerify", targets: exported + ["FaceVerifyJourney", "FaceVerifyStore", "FaceVerifyEvaluation"]),
    .library(name: "FaceVerifyCapture", targets: ["FaceVerifyCapture"]),
    .executable(name: "faceverify", targets: ["FaceVerifyProgram"]),
    // libfaceverify.so; a library and a program of one name would overwrite each other.
    .library(name: "FaceVerifyC", type: .dynamic, targets: ["FaceVerifyABI"]),
  ],
  // Without it, and so for packages that depend on this one, nothing but the argument parser is resolved.
  traits: [.trait(name: "Server", description: "The command has `faceverify serve`.")],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
  ],
  targets: [
    .systemLibrary(name: "CDeps", pkgConfig: "faceverify-deps"),
    .target(name: "CVision", dependencies: ["CDeps"], exclude: ["fonts"]),
    .target(name: "COpenVINO", dependencies: ["CDeps"]),
    .target(name: "COpenSSL", dependencies: ["CDeps"]),
    .systemLibrary(name: "CSQLite", pkgConfig: "faceverify-deps"),
    // The client library of smart card readers is loaded when it is asked for.
    .target(name: "CPCSC"),
    .target(name: "FaceVerifyBase", dependencies: ["COpenSSL"], swiftSettings: swiftSettings),
    .target(
      name: "Imaging", dependencies: ["CVision", "COpenVINO", "COpenSSL", "FaceVerifyBase"],
      swiftSettings: swiftSettings),
    .target(
      name: "FaceAnalysis", dependencies: ["FaceVerifyBase", "Imaging"], swiftSettings: swiftSettings),
    .target(
      name: "DocumentImaging", dependencies: ["CVision", "FaceVerifyBase", "Imaging"], swiftSettings: swiftSettings),
    .target(
      name: "IdentityDocuments", dependencies: ["COpenSSL", "FaceVerifyBase"], swiftSettings: swiftSettings),
    .target(
      name: "FaceVerify",
      dependencies: [
        "COpenSSL", "CPCSC", "CSQLite", "DocumentImaging", "FaceAnalysis", "FaceVerifyBase", "IdentityDocuments",
        "Imaging",
      ], swiftSettings: swiftSettings),
    .target(name: "FaceVerifyJourney", dependencies: verify, swiftSettings: swiftSettings),
    .target(name: "FaceVerifyStore", dependencies: verify + ["CSQLite"], swiftSettings: swiftSettings),
    // Never linked into libfaceverify.so.
    .target(
      name: "FaceVerifyEvaluation", dependencies: verify + ["FaceVerifyStore"], swiftSettings: swiftSettings),
    .systemLibrary(name: "CFaceVerify", path: "include"),
    .target(
      name: "FaceVerifyABI", dependencies: ["CFaceVerify"] + journeys,
      exclude: ["abi-record.json", "faceverify.map"], swiftSettings: swiftSettings),
    // Never linked into libfaceverify.so: it starts ffmpeg.
    .target(name: "FaceVerifyCapture", dependencies: verify, swiftSettings: swiftSettings),
    // PostgreSQL's client library is loaded when it is asked for.
    .target(name: "CPostgreSQL"),
    .target(name: "CPage", dependencies: ["CDeps"]),
    .target(
      name: "FaceVerifyServer",
      dependencies: ["CPage", "CPostgreSQL", "FaceVerifyCapture"] + journeys,
      exclude: ["Resources", "openapi.json"], swiftSettings: swiftSettings),
    // Empty without the trait.
    .target(
      name: "FaceVerifyHTTP",
      dependencies: journeys + [
        "FaceVerifyServer",
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Server"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio", condition: .when(traits: ["Server"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Server"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"])),
      ], swiftSettings: swiftSettings),
    .target(
      name: "FaceVerifyCLI",
      dependencies: journeys + [
        "CPage", "FaceVerifyCapture", "FaceVerifyEvaluation", "FaceVerifyHTTP", "FaceVerifyServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings
    ),
    .executableTarget(name: "FaceVerifyProgram", dependencies: ["FaceVerifyCLI"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "training-tool",
      dependencies: verify + [
        "FaceVerifyEvaluation", "FaceVerifyStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "training/Tools", swiftSettings: swiftSettings),
    // In no product: models that answer what a picture says, and the command with them.
    .target(
      name: "ScriptedModels", dependencies: ["FaceAnalysis", "FaceVerifyBase", "Imaging"], path: "Tests/ScriptedModels",
      swiftSettings: swiftSettings
    ),
    .executableTarget(
      name: "faceverify-scripted",
      dependencies: ["FaceAnalysis", "FaceVerifyBase", "Imaging", "FaceVerifyCLI", "ScriptedModels"],
      path: "Tests/ScriptedCommand",
      swiftSettings: swiftSettings),
    .target(
      name: "TestSupport", dependencies: ["FaceAnalysis", "FaceVerifyBase", "Imaging"], path: "Tests/Support",
      swiftSettings: swiftSettings),
    .target(
      name: "EngineTestSupport", dependencies: verify + ["ScriptedModels", "TestSupport"], path: "Tests/EngineSupport",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ImagingTests", dependencies: ["FaceVerifyBase", "Imaging", "TestSupport"], exclude: ["Fixtures"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DocumentImagingTests", dependencies: ["DocumentImaging", "FaceVerifyBase", "Imaging", "TestSupport"],
      exclude: ["Fixtures"], swiftSettings: swiftSettings),
    .testTarget(
      name: "FaceAnalysisTests", dependencies: ["FaceAnalysis", "FaceVerifyBase", "Imaging", "TestSupport"],
      swiftSettings: swiftSettings),
    // An emulated chip for tests, and a program that sends its responses.
    .target(
      name: "EmulatedChip", dependencies: ["FaceVerifyBase", "IdentityDocuments"], path: "Tests/EmulatedChip",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "emulated-chip", dependencies: ["EmulatedChip", "FaceVerifyBase", "IdentityDocuments"],
      path: "Tests/EmulatedChipProgram", swiftSettings: swiftSettings),
    .testTarget(
      name: "IdentityDocumentsTests",
      dependencies: ["EmulatedChip", "FaceVerifyBase", "IdentityDocuments", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "FaceVerifyABITests",
      dependencies: ["CFaceVerify", "EmulatedChip", "FaceVerifyABI", "ScriptedModels", "TestSupport"] + journeys,
      swiftSettings: testSettings),
    .testTarget(
      name: "FaceVerifyTests",
      dependencies: ["CPCSC", "EmulatedChip", "EngineTestSupport", "ScriptedModels", "TestSupport"] + verify,
      swiftSettings: swiftSettings),
    .testTarget(
      name: "FaceVerifyJourneyTests",
      dependencies: ["EmulatedChip", "EngineTestSupport", "ScriptedModels", "TestSupport"] + journeys,
      swiftSettings: testSettings),
    .testTarget(
      name: "FaceVerifyStoreTests",
      dependencies: ["EngineTestSupport", "FaceVerifyStore", "ScriptedModels", "TestSupport"] + verify,
      swiftSettings: testSettings),
    .testTarget(
      name: "FaceVerifyEvaluationTests",
      dependencies: ["EngineTestSupport", "FaceVerifyEvaluation", "FaceVerifyStore", "TestSupport"] + verify,
      swiftSettings: testSettings),
    .testTarget(
      name: "FaceVerifyCaptureTests", dependencies: ["FaceVerifyCapture", "TestSupport"] + verify,
      swiftSettings: testSettings),
    .testTarget(
      name: "FaceVerifyServerTests",
      dependencies: ["EmulatedChip", "FaceVerifyServer", "ScriptedModels", "TestSupport"] + journeys,
      swiftSettings: testSettings),
    // Runs the command and faceverify-scripted: those of the build, or of FACEVERIFY_BINARY and FACEVERIFY_SCRIPTED.
    .testTarget(
      name: "FaceVerifyCLITests", dependencies: ["ScriptedModels", "TestSupport"] + journeys,
      swiftSettings: testSettings),
  ],
  cxxLanguageStandard: .cxx17
)
