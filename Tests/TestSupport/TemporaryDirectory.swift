import Foundation

/// A directory that lives as long as this object, for what a test writes.
public final class TemporaryDirectory {
    public let path: String

    /// Creates an empty directory of its own.
    public init() {
        var template = Array((NSTemporaryDirectory() + "/queuescope-test.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("cannot create a temporary directory: errno \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file or directory in it, which need not exist.
    public func appending(_ name: String) -> String { path + "/" + name }
}
