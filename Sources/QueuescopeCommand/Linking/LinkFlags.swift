/// The linker flags that put the interposer before the libdispatch that is linked into a program.
struct LinkFlags {
    /// Who passes the flags on to the linker.
    enum Style: String, CaseIterable {
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
