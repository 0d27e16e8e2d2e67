import DispatchModel

/// Finds executables and separate debug files by their build id.
struct DebugFiles {
    /// The folder of the debug files of installed packages.
    private static let system = "/usr/lib/debug"

    let path: String
    /// In hexadecimal. Nothing is found for an image without a build id.
    let buildID: String

    /// Finds the file with the debug information of an image, or the image itself.
    ///
    /// - Parameters:
    ///   - file: the stripped file, which may name its debug file (`.gnu_debuglink`); nil when there is none.
    ///   - folders: folders to search before the folder of the system.
    /// - Returns: a file with the build id; nil when there is none.
    func find(of file: ELFFile? = nil, in folders: [String]) -> ELFFile? {
        // The build id comes from the trace and becomes a part of a path.
        guard buildID.utf8.count > 2, buildID.utf8.allSatisfy(Self.isDigit) else { return nil }
        let isDebugFile = file != nil
        // Only the folders of the user are searched for executables, or only the folder of the system.
        let places = folders.isEmpty || isDebugFile ? folders + [Self.system] : folders
        let linked = file?.debugLink.map { names($0, in: places) } ?? []
        for candidate in names(in: places) + linked {
            guard let found = ELFFile(path: candidate), found.buildID == buildID else { continue }
            if !isDebugFile || found.hasDebugInformation || found.hasSymbols { return found }
        }
        return nil
    }

    private var name: String { path.lastPathComponent.map(String.init) ?? "" }
    private var folder: String { String(path.dropLast(name.count)) }

    private func names(in folders: [String]) -> [String] {
        folders.flatMap { folder in
            ["\(folder)/.build-id/\(buildID.prefix(2))/\(buildID.dropFirst(2)).debug"]
                + (name.isEmpty || name == ".." ? [] : ["\(folder)/\(name)", "\(folder)/\(name).debug"])
        }
    }

    /// The places in which debuggers search a linked debug file.
    private func names(_ link: String, in folders: [String]) -> [String] {
        guard !link.isEmpty, !link.has("/") else { return [] }
        return ["\(folder)\(link)", "\(folder).debug/\(link)"]
            + folders.flatMap { ["\($0)/\(link)", "\($0)\(folder)\(link)"] }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
