import FoundationEssentials
import Glibc

/// A copy of a shared object in the file system of another process, which can be in a container.
public struct ObjectCopy {
    /// The folders for temporary files, in the order of preference.
    private static let folders = ["/tmp", "/var/tmp", "/dev/shm", "/run"]

    /// The flag `ST_NOEXEC` of a file system, which glibc does not declare for Swift.
    private static let noCode: UInt = 8

    /// The path in the file system of the process.
    public let path: String
    /// The folder of the copy, as this command sees it.
    private let folder: String

    /// Copies an object.
    ///
    /// - Parameters:
    ///   - object: its path here.
    ///   - pid: the process.
    /// - Throws: ``InspectionError`` when no folder of the process permits code, and can be written.
    public init(of object: String, for pid: Int32) throws(InspectionError) {
        let root = "/proc/\(pid)/root"
        let name = object.split(separator: "/").last.map(String.init) ?? "object.so"
        let candidates = Self.folders.map { root + $0 }.filter(Self.permitsCode)
        // Not a lazy sequence, which would make its first element twice.
        var made: String?
        for candidate in candidates where made == nil { made = Self.copy(object, into: candidate, name: name) }
        guard let folder = made else {
            throw InspectionError(
                code: .notAttachable,
                sentence: "process \(pid) cannot read \(object), and has no folder for a copy: none of "
                    + "\(Self.folders.joined(separator: ", ")) can be written here and permits code (noexec). Mount "
                    + "the file into its container")
        }
        self.folder = folder
        path = "\(folder.dropFirst(root.count))/\(name)"
    }

    /// Copies a file into a new folder; nil when this is not possible.
    private static func copy(_ object: String, into parent: String, name: String) -> String? {
        var template = Array("\(parent)/queuescope-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let copy = "\(folder)/\(name)"
        do {
            try FileManager.default.copyItem(atPath: object, toPath: copy)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            return nil
        }
        // The process may have another user.
        chmod(folder, 0o755)
        chmod(copy, 0o755)
        return folder
    }

    /// Removes the copy. A process that has opened it keeps it.
    public func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Whether it is a folder, not a link to one, in a file system without `noexec`.
    private static func permitsCode(_ folder: String) -> Bool {
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        var system = statvfs()
        return statvfs(folder, &system) == 0 && system.f_flag & Self.noCode == 0
    }
}
