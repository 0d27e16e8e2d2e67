/// The text of a trace's metadata and the path of its file.
struct MetadataSource {
    /// The path of the file, for messages.
    let file: String
    /// The UTF-8 text. The packets are already joined.
    let text: [UInt8]

    /// The character before each fragment of CTF 2.
    static let recordSeparator: UInt8 = 0x1E

    /// Whether the text is a JSON text sequence, as in CTF 2.
    var isJSON: Bool { text.first == Self.recordSeparator }

    /// Creates an error for a position in the text.
    ///
    /// - Parameters:
    ///   - code: the kind of problem.
    ///   - offset: the position in the text, in bytes.
    ///   - problem: the problem.
    /// - Returns: the error, with line and column.
    func error(_ code: CTFError.Code, at offset: Int, _ problem: String) -> CTFError {
        let before = text.prefix(offset)
        let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return CTFError(
            code, at: .init(file: file, line: line, column: min(offset, text.count) - lineStart + 1), problem)
    }

    /// Makes a note about a position in the text.
    ///
    /// - Parameters:
    ///   - code: the kind of problem.
    ///   - offset: the position in the text, in bytes.
    ///   - problem: the problem and its consequence.
    /// - Returns: the note, with line and column.
    func note(_ code: CTFError.Code, at offset: Int, _ problem: String) -> TraceNote {
        let place = error(code, at: offset, problem).place
        return TraceNote(
            code: code, file: file, byteOffset: offset, line: place?.line, column: place?.column, problem: problem)
    }
}
