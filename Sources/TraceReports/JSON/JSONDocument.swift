import FoundationEssentials

/// How every JSON file of Queuescope is written: indented, keys sorted so that two files compare line by line, ended by
/// a line feed.
enum JSONDocument {
    static func text(of document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }
}
