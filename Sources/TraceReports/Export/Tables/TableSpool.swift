import Glibc

/// Keeps a table on disk until the trace has been read, so that a trace that cannot be read leaves no half of it.
public final class TableSpool {
    private static let pieceSize = 1 << 20

    private let file: TemporaryFile

    /// - Throws: ``TemporaryFileError`` when there is no room for temporary files.
    public init() throws(TemporaryFileError) {
        guard let file = TemporaryFile() else { throw TemporaryFile.failure("write to") }
        self.file = file
    }

    /// Keeps the bytes.
    ///
    /// - Parameter bytes: the next bytes.
    /// - Throws: ``TemporaryFileError`` when they cannot be kept.
    public func append(_ bytes: [UInt8]) throws(TemporaryFileError) {
        guard file.write(bytes) else { throw TemporaryFile.failure("write to") }
    }

    /// Hands everything that was kept to `sink`.
    ///
    /// - Parameter sink: takes the next bytes.
    /// - Throws: what `sink` throws, and ``TemporaryFileError`` when the bytes cannot be read.
    public func copy(to sink: ([UInt8]) throws -> Void) throws {
        guard file.rewind() else { throw TemporaryFile.failure("read from") }
        while true {
            guard let piece = file.read(upTo: Self.pieceSize) else { throw TemporaryFile.failure("read from") }
            if piece.isEmpty { return }
            try sink(piece)
        }
    }
}
