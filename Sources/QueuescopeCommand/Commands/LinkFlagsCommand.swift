import ArgumentParser

/// `queuescope link-flags`: how to link the interposer into a program that cannot be preloaded.
struct LinkFlagsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-flags",
        abstract: "Prints the flags that link the interposer into a statically linked program.",
        discussion: """
            A program that has libdispatch linked into it (-static-stdlib) cannot be recorded by preloading. Let it depend on \
            the product QueuescopeStaticInterposer, and build it with these flags:

              swift build -c release --static-swift-stdlib $(queuescope link-flags)
              queuescope record -- .build/release/MyService

            swiftc and swift build take the flags as they are printed by default; clang takes those of --style clang; \
            --style manifest prints a setting for the target in Package.swift.
            """)

    @Option(help: "Whose flags to print: swiftc (and swift build), clang, or manifest.")
    var style: LinkFlags.Style = .swiftc

    @Option(
        help: "The library whose functions are listed, instead of the one that belongs to this queuescope.",
        completion: .file(extensions: ["so"]))
    var preload: String?

    func run() throws {
        let flags = LinkFlags(hooks: try PreloadObject(explicit: preload).hooks())
        try StandardOutput.write(flags.text(style) + "\n")
    }
}

/// The linker flags that put the interposer before the libdispatch that is linked into a program.
struct LinkFlags {
    /// Who passes the flags on to the linker.
    enum Style: String, CaseIterable, ExpressibleByArgument {
        /// `swiftc` and `swift build`.
        case swiftc
        case clang
        /// A target's setting in Package.swift.
        case manifest
    }

    /// The functions to wrap.
    let hooks: [String]

    /// The flags on one line; no name has a space in it, so a shell's `$(…)` takes them apart again.
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
