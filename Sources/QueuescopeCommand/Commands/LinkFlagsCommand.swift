import ArgumentParser

/// `queuescope link-flags`: links the interposer into a program into which it cannot be preloaded.
struct LinkFlagsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-flags",
        abstract: "Prints the flags that link the interposer into a statically linked program.",
        discussion: """
            A program with a statically linked libdispatch (-static-stdlib) cannot be recorded by preloading. Make it \
            depend on the product QueuescopeStaticInterposer, and build it with these flags:

              swift build -c release --static-swift-stdlib $(queuescope link-flags)
              queuescope record -- .build/release/MyService

            The default output is for swiftc and swift build. --style clang prints flags for clang. --style manifest \
            prints a setting for the target in Package.swift.
            """)

    @Option(help: "The flags to print: for swiftc (and swift build), clang, or manifest.")
    var style: LinkFlags.Style = .swiftc

    @Option(
        help: "The library whose functions are listed (default: the library of this queuescope).",
        completion: .file(extensions: ["so"]))
    var preload: String?

    func run() throws {
        let flags = LinkFlags(hooks: try PreloadObject(explicit: preload).hooks())
        try StandardOutput.write(flags.text(style) + "\n")
    }
}

/// The linker flags that wrap the calls of a statically linked libdispatch.
struct LinkFlags {
    /// The receiver of the flags.
    enum Style: String, CaseIterable, ExpressibleByArgument {
        /// `swiftc` and `swift build`.
        case swiftc
        case clang
        /// A setting of a target in Package.swift.
        case manifest
    }

    /// The functions to wrap.
    let hooks: [String]

    /// The flags on one line. No name has a space, so the shell's `$(…)` splits them correctly.
    func text(_ style: Style) -> String {
        switch style {
        case .swiftc: hooks.map { "-Xlinker --wrap=\($0)" }.joined(separator: " ")
        case .clang: hooks.map { "-Wl,--wrap=\($0)" }.joined(separator: " ")
        case .manifest:
            "linkerSettings: [.unsafeFlags(["
                + hooks.map { "\"-Xlinker\", \"--wrap=\($0)\"" }.joined(separator: ", ") + "])]"
        }
    }
}
