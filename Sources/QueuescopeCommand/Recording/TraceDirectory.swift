import Foundation

/// The directory that a recording goes to.
enum TraceDirectory {
    /// `MyService-20261121-094100.ctf` in the current directory, numbered when there is one already.
    static func fresh(for program: String) -> String {
        let name = URL(fileURLWithPath: program).lastPathComponent
        let parts = Calendar(identifier: .gregorian)
            .dateComponents([.year, .month, .day, .hour, .minute, .second], from: Date())
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let date = "\(parts.year ?? 0)\(two(parts.month))\(two(parts.day))"
        let time = two(parts.hour) + two(parts.minute) + two(parts.second)
        return unused("\(name)-\(date)-\(time)", extension: ".ctf")
    }

    /// The path, or the first of `path-2`, `path-3` … at which there is nothing.
    static func unused(_ path: String, extension: String = "") -> String {
        var candidate = path + `extension`
        var number = 1
        while FileManager.default.fileExists(atPath: candidate) {
            number += 1
            candidate = "\(path)-\(number)\(`extension`)"
        }
        return candidate
    }

    /// The directories of CTF traces at a path and below it.
    static func traces(below path: String) -> [String] {
        let files = FileManager.default
        let inside = files.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return inside.filter { $0 == "metadata" || $0.hasSuffix("/metadata") }
            .map { URL(fileURLWithPath: path).appendingPathComponent($0).deletingLastPathComponent().path }.sorted()
    }

    /// Makes sure that nothing is overwritten.
    ///
    /// - Throws: ``CommandFailure`` when there is something at the path that is not an empty directory.
    static func check(_ path: String) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return }
        guard isDirectory.boolValue else {
            throw CommandFailure(.usage, "cannot record into \(path): it is a file. Name a new directory with --output")
        }
        guard let content = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CommandFailure(
                .usage, "cannot record into \(path): it cannot be read. Name a new directory with --output")
        }
        if !content.isEmpty {
            throw CommandFailure(
                .usage, "cannot record into \(path): it is not empty. Name a new directory with --output, or remove it")
        }
    }
}
