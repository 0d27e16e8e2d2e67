import FoundationEssentials

/// A program that the build puts next to this executable, and that `Tools/install` puts into `lib/queuescope`.
struct CompanionProgram {
    /// The path of the program.
    let path: String

    /// Finds the program that runs one of the scenarios, and lists them without arguments.
    static func scenarios() throws -> CompanionProgram {
        try CompanionProgram("ScenarioProgram", purpose: "the program of the scenarios")
    }

    /// Finds the program.
    ///
    /// - Parameters:
    ///   - name: the name of the executable and of its product.
    ///   - purpose: the name for users, such as "the demo service".
    /// - Throws: `CommandFailure` when it is not found.
    init(_ name: String, purpose: String) throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let folder = own.deletingLastPathComponent()
        let places = ["", "../lib/queuescope/"].map {
            folder.appendingPathComponent($0 + name).standardizedFileURL.path
        }
        guard let found = places.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw CommandFailure(
                .programNotFound,
                "cannot find \(purpose) \(places[0]): build it next to queuescope with "
                    + "`swift build --product \(name)`, or install both with Tools/install")
        }
        path = found
    }
}
