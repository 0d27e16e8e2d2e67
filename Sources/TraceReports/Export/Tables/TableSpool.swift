import Glibc

/// Keeps a table on disk until the trace has been read, so that a trace that cannot be read leaves no half of it.
public final class TableSpool {
    private static let pieceSize = 1 << 20

    private let file: TemporaryFile

    /// - Throws: ``TableSpoolError`` when there is no room for temporary files.
    public init() throws(TableSpoolError) {
        guard let file = TemporaryFile() else { throw Self.failure("write to") }
        self.file = file
    }

    /// Keeps the bytes.
    ///
    /// - Parameter bytes: the next bytes.
    /// - Throws: ``TableSpoolError`` when they cannot be kept.
    public func append(_ bytes: [UInt8]) throws(TableSpoolError) {
        guard file.write(bytes) else { throw Self.failure("write to") }
    }

    /// Hands everything that was kept to `sink`.
    ///
    /// - Parameter sink: takes the next bytes.
    /// - Throws: what `sink` throws, and ``TableSpoolError`` when the bytes cannot be read.
    public func copy(to sink: ([UInt8]) throws -> Void) throws {
        guard file.rewind() else { throw Self.failure("read from") }
        while true {
            guard let piece = file.read(upTo: Self.pieceSize) else { throw Self.failure("read from") }
            if piece.isEmpty { return }
            try sink(piece)
        }
    }

    private static func failure(_ verb: String) -> TableSpoolError {
        let reason = String(cString: strerror(errno))
        return TableSpoolError(
            description: "cannot \(verb) \(TemporaryFile.directory): \(reason). Name another directory in TMPDIR")
    }
}

/// Why a table could not be kept.
public struct TableSpoolError: Error, CustomStringConvertible {
    /// One sentence with the place and what to do.
    public let description: String
}
