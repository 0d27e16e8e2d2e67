import FoundationEssentials

/// Writes the JSON files of Queuescope: indented, with sorted keys so that a line diff of two files is meaningful, and
/// with a line feed at the end.
package enum JSONDocument {
    package static func text(of document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }

    /// One line per document, for a stream of documents.
    package static func line(of document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }
}
