/// A request: a line with the words to search for.
///
///     SEARCH city-opens river choir\n   →   4 #17 city-opens …; 3 #5 …\n
struct Query: Sendable {
    let words: [String]

    /// Parses a line without its end. Nil when the line is not a request.
    init?(line: some Collection<UInt8>) {
        let parts = line.split(separator: UInt8(ascii: " "))
        guard let verb = parts.first, verb.elementsEqual("SEARCH".utf8) else { return nil }
        words = parts.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The words of request `number` of this client. They are the same in every run.
    init(client: Int, number: Int) {
        var random = SplitMix64(state: UInt64(client) << 32 | UInt64(number))
        words = (0..<6).map { _ in
            ArticleStore.vocabulary[Int(random.next() % UInt64(ArticleStore.vocabulary.count))]
        }
    }

    /// The text of the request on the connection.
    var line: String { "SEARCH \(words.joined(separator: " "))\n" }
}
