import CTFReader
import DispatchModel
import FoundationEssentials
import ReportText
import Symbolication

/// The executables and libraries that a core file refers to, as they are on this machine.
///
/// A core file does not contain memory that is unchanged from its file, such as code and unwind tables. A file is used
/// only if it is the mapped one: it has the build id that is in the core file, or the same first page if there is none.
struct CoreImageFiles {
    /// The result of the comparison of a file on this machine with the mapped file.
    enum Match {
        case same(InspectedFile)
        case missing
        /// The build ids differ; nil for a file without one.
        case other(found: String?, mapped: String?)
        /// The first page of the mapped file is not in the core file.
        case unverified
    }

    /// The choices of the user.
    struct Choice {
        /// The file of the executable; nil for the path in the core file.
        var executable: String?
        /// The folder below which the files are; nil for the root of this machine.
        var root: String?
    }

    private static let headSize = 4096
    private static let magic = [0x7F] + Array("ELF".utf8)

    private struct Entry {
        let file: String
        let match: Match
        /// Whether the build id of the mapped file is in the core file.
        let hasBuildID: Bool
    }

    private let entries: [String: Entry]
    /// The path of the executable in the file system of the process; nil when it is unknown.
    let executable: String?

    /// Compares the files.
    ///
    /// - Parameters:
    ///   - core: the core file.
    ///   - choice: the choices of the user.
    init(of core: CoreFile, choice: Choice) {
        let notes = core.notes
        let executable =
            notes.programHeaders.flatMap { headers in notes.parts.first { $0.range.contains(headers) }?.path }
            ?? notes.name.flatMap { name in
                notes.parts.first { $0.path.split(separator: "/").last?.hasPrefix(name) == true }?.path
            }
        let code = Set(
            notes.parts.filter { core.segment(holding: $0.range.lowerBound)?.isExecutable == true }.map(\.path))
        var entries: [String: Entry] = [:]
        for part in notes.parts where part.offset == 0 && entries[part.path] == nil {
            var head = [UInt8](repeating: 0, count: Self.headSize)
            let count = head.withUnsafeMutableBytes { core.read(at: part.range.lowerBound, into: $0) }
            head.removeLast(head.count - (count ?? 0))
            // Data files, such as locale files, are not code.
            guard head.isEmpty ? code.contains(part.path) : head.starts(with: Self.magic) else { continue }
            let isExecutable = part.path == executable
            let chosen = isExecutable ? choice.executable : nil
            let file = chosen ?? (choice.root ?? "") + part.path
            let match = part.isDeleted && chosen == nil ? .missing : Self.match(file, head: head)
            entries[part.path] = Entry(file: file, match: match, hasBuildID: ELFFile(Data(head))?.buildID != nil)
        }
        self.entries = entries
        self.executable = executable
    }

    private static func match(_ path: String, head: [UInt8]) -> Match {
        guard let file = try? InspectedFile(path), let image = ELFFile(path: path) else { return .missing }
        guard let mapped = ELFFile(Data(head)) else { return .unverified }
        if let wanted = mapped.buildID {
            return wanted == image.buildID ? .same(file) : .other(found: image.buildID, mapped: wanted)
        }
        let same = file.bytes(at: 0, count: head.count) == head
        return same ? .same(file) : .other(found: image.buildID, mapped: nil)
    }

    /// The mapped file; nil when it is not on this machine.
    func file(of path: String) -> InspectedFile? {
        if case .same(let file)? = entries[path]?.match { file } else { nil }
    }

    /// The path at which symbols of a mapped file are looked up; empty for none.
    ///
    /// The path of a file that cannot be used still names the code. Symbols are read only from a file with the same
    /// build id, so such a path is no risk when there is a build id.
    func symbolPath(of path: String) -> String {
        guard let entry = entries[path] else { return "" }
        if case .same(let file) = entry.match { return file.path }
        return entry.hasBuildID && entry.file.lastPathComponent == path.lastPathComponent ? entry.file : ""
    }

    /// Whether a part of a mapped file is code, by the program headers of the file.
    func hasCode(in part: CoreNotes.MappedPart) -> Bool {
        guard let head = file(of: part.path)?.bytes(at: 0, count: Self.headSize) else { return false }
        let size = part.range.upperBound - part.range.lowerBound
        guard size <= .max - part.offset else { return false }
        return ProgramHeaders(Data(head))?.hasCode(in: part.offset..<part.offset + size) ?? false
    }

    /// Sentences about files that cannot be used.
    var gaps: [String] {
        let sorted = entries.sorted { $0.key < $1.key }
        var gaps = sorted.compactMap { path, entry -> String? in
            guard case .other(let found, let mapped) = entry.match else { return nil }
            let builds = mapped.map { " (build id \(found ?? "none") instead of \($0))" } ?? ""
            return "\(DisplayText.escaped(entry.file)) is not the file that the process had mapped\(builds), so its "
                + "code and the stacks through it are unknown."
        }
        func names(_ isIncluded: (Match) -> Bool) -> [String] {
            sorted.filter { isIncluded($0.value.match) }.map { DisplayText.escaped($0.value.file) }
        }
        let missing = names { if case .missing = $0 { true } else { false } }
        if !missing.isEmpty {
            gaps.append(
                "\(Self.list(missing)) \(missing.count == 1 ? "is" : "are") not on this machine, so the stacks through "
                    + "this code are unknown. Name the folder with the files of the process with --root"
                    + (executable.flatMap { entries[$0]?.file }.map(missing.contains) == true
                        ? ", and the executable with --executable." : "."))
        }
        let unverified = names { if case .unverified = $0 { true } else { false } }
        if !unverified.isEmpty {
            gaps.append(
                "\(Self.list(unverified)) cannot be verified, because the core file does not contain the first page of "
                    + "the mapped \(unverified.count == 1 ? "file" : "files"). The stacks through this code are "
                    + "unknown. The kernel writes these pages if bit 4 of /proc/PID/coredump_filter is set.")
        }
        return gaps
    }

    private static func list(_ names: [String]) -> String {
        let most = 4
        let rest = names.count > most ? " and \(names.count - most) more" : ""
        return names.prefix(most).joined(separator: ", ") + rest
    }
}
