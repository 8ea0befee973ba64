// swift-tools-version: 6.2
//
// clipview: a type-aware clipboard for Linux.
//
// The order of the targets is the order of the layers, lowest first; imports point down only and
// this file is what enforces it. Tests/RepositoryTests checks that nothing else is imported.

import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// `make build` links the X libraries statically and names their archives itself (see the
/// Makefile); a plain `swift build` takes the shared ones.
let namesArchives = Context.environment["CLIPVIEW_STATIC_X11"] != nil
let x11Libraries: [LinkerSetting] =
  namesArchives ? [] : [.linkedLibrary("Xfixes"), .linkedLibrary("X11")]

/// The release link of clipview alone, which starts for each paste (see Scripts/build-release).
let startsAtFixedAddress = Context.environment["CLIPVIEW_FIXED_ADDRESS"] != nil
let fixedAddress: [LinkerSetting] =
  startsAtFixedAddress ? [.unsafeFlags(["-Xclang-linker", "-no-pie"])] : []

func layer(_ name: String, on dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, on dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: swiftSettings)
}

/// What `make fuzz` builds; a normal build never pays for it.
let fuzzing: [Target] =
  Context.environment["CLIP_FUZZ"] == nil
  ? []
  : [
    .target(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: ["CLibFuzzer", "TypeRegistry", "HTMLReader", "RichText", "ControlProtocol"],
      path: "Fuzz/fuzz",
      swiftSettings: swiftSettings),
  ]

/// What `make bench-registry` and `make bench-model` build; a normal build never pays for it.
let benchmarks: [Target] =
  Context.environment["CLIP_BENCH"] == nil
  ? []
  : [
    .executableTarget(
      name: "bench-registry", dependencies: ["TypeRegistry"], path: "Benchmarks/registry",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "bench-model", dependencies: ["RichText"], path: "Benchmarks/model",
      swiftSettings: swiftSettings),
  ]

/// What scripts build that make files of this package; a normal build never pays for it.
let tools: [Target] =
  Context.environment["CLIP_TOOLS"] == nil
  ? []
  : [
    .executableTarget(
      name: "make-type-tables", dependencies: ["CDeclaredTypes", "TypeRegistry"],
      path: "Tools/make-type-tables", swiftSettings: swiftSettings)
  ]

let package = Package(
  name: "clipview",
  products: [
    .executable(name: "clipview", targets: ["clipview"]),
    .executable(name: "clipd", targets: ["ClipDaemon"]),
    .library(name: "TypeRegistry", targets: ["TypeRegistry"]),
    .library(name: "Pasteboard", targets: ["Pasteboard"]),
    .library(name: "RichText", targets: ["RichText"]),
  ],
  targets: [
    // C only: module maps, embedded data, shims.
    .target(name: "CLinux"),
    .target(name: "CDeclaredTypes"),
    .target(name: "CX11", linkerSettings: x11Libraries),
    .target(name: "CMd4c"),
    .target(name: "CWayland"),
    .target(name: "CWaylandProtocols", exclude: ["descriptions"]),

    // What touches a descriptor.
    layer("SystemIO", on: ["CLinux"]),
    layer("EventLoop", on: ["CLinux", "SystemIO"]),

    // What types there are. Reads the system's MIME database when first asked for it.
    layer("TypeRegistry", on: ["CDeclaredTypes", "SystemIO"]),

    // What a clipboard means, without any I/O.
    layer("TextEncoding", on: []),
    layer("HTMLReader", on: ["TextEncoding"]),
    layer("RichText", on: ["CMd4c", "TextEncoding", "HTMLReader"]),
    layer("Pasteboard", on: ["TypeRegistry"]),
    layer("SelectionCore", on: ["TypeRegistry", "TextEncoding", "Pasteboard"]),

    // What is said between clipd and those who ask it, as bytes.
    layer("ControlProtocol", on: []),

    // The display, a session on it, the programs.
    layer("X11Backend", on: ["CX11", "SystemIO", "EventLoop", "Pasteboard", "SelectionCore"]),
    layer(
      "WaylandBackend",
      on: [
        "CWayland", "CWaylandProtocols", "SystemIO", "EventLoop", "Pasteboard", "SelectionCore",
      ]),
    layer(
      "DaemonBackend",
      on: [
        "SystemIO", "EventLoop", "TypeRegistry", "TextEncoding", "Pasteboard", "SelectionCore",
        "ControlProtocol",
      ]),
    layer(
      "ClipboardCore",
      on: [
        "SystemIO", "EventLoop", "TypeRegistry", "TextEncoding", "RichText", "Pasteboard",
        "SelectionCore", "ControlProtocol", "X11Backend", "WaylandBackend", "DaemonBackend",
      ]),
    .executableTarget(
      name: "ClipDaemon",
      dependencies: [
        "SystemIO", "EventLoop", "TypeRegistry", "Pasteboard", "SelectionCore", "ControlProtocol",
        "DaemonBackend", "ClipboardCore",
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "clipview",
      dependencies: [
        "SystemIO", "TypeRegistry", "RichText", "Pasteboard", "SelectionCore", "ControlProtocol",
        "DaemonBackend", "ClipboardCore",
      ],
      swiftSettings: swiftSettings, linkerSettings: fixedAddress),

    // A scripted raw X11 peer, Xvfb, processes and terminals: what the tests talk to.
    .target(
      name: "TestSupport",
      dependencies: ["CLinux", "SystemIO"],
      path: "Tests/TestSupport",
      swiftSettings: swiftSettings),
    .target(
      name: "CWaylandServer",
      path: "Tests/CWaylandServer",
      linkerSettings: [.linkedLibrary("wayland-server")]),
    tests("RepositoryTests", on: []),
    tests("SystemIOTests", on: ["CLinux", "SystemIO"]),
    tests("EventLoopTests", on: ["SystemIO", "EventLoop"]),
    tests("TypeRegistryTests", on: ["TypeRegistry"]),
    tests("TextEncodingTests", on: ["TextEncoding"]),
    tests("HTMLReaderTests", on: ["TextEncoding", "HTMLReader"]),
    tests("RichTextTests", on: ["RichText"]),
    tests("PasteboardTests", on: ["TypeRegistry", "Pasteboard"]),
    tests(
      "SelectionCoreTests", on: ["TypeRegistry", "TextEncoding", "Pasteboard", "SelectionCore"]),
    tests(
      "X11BackendTests",
      on: [
        "SystemIO", "EventLoop", "TypeRegistry", "Pasteboard", "SelectionCore", "X11Backend",
      ]),
    tests("ControlProtocolTests", on: ["ControlProtocol"]),
    tests(
      "DaemonBackendTests",
      on: [
        "SystemIO", "TypeRegistry", "RichText", "Pasteboard", "SelectionCore", "ControlProtocol",
        "DaemonBackend",
      ]),
    tests(
      "WaylandBackendTests",
      on: [
        "clipview", "CWayland", "CWaylandProtocols", "CWaylandServer", "SystemIO", "EventLoop",
        "TypeRegistry",
        "Pasteboard", "SelectionCore", "WaylandBackend",
      ]),
    tests(
      "ClipboardCoreTests",
      on: [
        "SystemIO", "TypeRegistry", "TextEncoding", "Pasteboard", "SelectionCore", "ClipboardCore",
      ]),
    tests(
      "ClipviewUnitTests",
      on: ["clipview", "TypeRegistry", "RichText", "Pasteboard", "SelectionCore", "ClipboardCore"]),
    tests("ClipviewTests", on: ["clipview", "SystemIO"]),
    tests(
      "SwayTests",
      on: [
        "ClipDaemon", "clipview", "SystemIO", "EventLoop", "Pasteboard", "SelectionCore",
        "WaylandBackend",
      ]),
    tests(
      "ClipDaemonTests",
      on: [
        "ClipDaemon", "clipview", "SystemIO", "EventLoop", "Pasteboard", "SelectionCore",
        "ControlProtocol", "DaemonBackend", "ClipboardCore",
      ]),
  ] + fuzzing + benchmarks + tools
)
