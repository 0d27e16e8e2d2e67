import Foundation

/// A temporary directory that is removed with this object.
public final class TemporaryDirectory {
    public let path: String

    /// Creates an empty directory.
    public init() {
        var template = Array((FileManager.default.temporaryDirectory.path + "/queuescope-test.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("cannot create a temporary directory: errno \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file or directory in this directory, which need not exist.
    public func appending(_ name: String) -> String { path + "/" + name }

    /// Writes an executable script.
    ///
    /// Another process creates the file. If this process opened it for writing, a child that another test starts at
    /// that moment could inherit the descriptor, and running the script would fail with ETXTBSY.
    ///
    /// - Returns: its path.
    public func script(_ name: String, _ text: String) throws -> String {
        let (draft, script) = (appending(name + ".draft"), appending(name))
        try text.write(toFile: draft, atomically: true, encoding: .utf8)
        let commands = #"cp "$0" "$1" && chmod 700 "$1" && rm "$0""#
        let copy = try Program(path: "/bin/sh").run(["-c", commands, draft, script])
        guard copy.status == 0 else { fatalError("cannot write \(script): \(copy.errors)") }
        return script
    }
}
