import FoundationEssentials

/// A program that the build puts next to this executable.
struct CompanionProgram {
    /// Its path.
    let path: String

    /// Finds the program.
    ///
    /// - Parameters:
    ///   - name: the name of the executable and of its product.
    ///   - purpose: what it is for a person, such as "the demo service".
    /// - Throws: `CommandFailure` when it is not there.
    init(_ name: String, purpose: String) throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        path = own.deletingLastPathComponent().appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandFailure(
                .programNotFound,
                "cannot find \(purpose) \(path): build it next to queuescope with `swift build --product \(name)`")
        }
    }
}
