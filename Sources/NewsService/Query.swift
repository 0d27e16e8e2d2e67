/// One request: a line with the words to search for.
///
///     SEARCH city-opens river choir\n   →   4 #17 city-opens …; 3 #5 …\n
struct Query: Sendable {
    let words: [String]

    /// Reads a line, without its end. Nil when it is no request.
    init?(line: some Collection<UInt8>) {
        let parts = line.split(separator: UInt8(ascii: " "))
        guard let verb = parts.first, verb.elementsEqual("SEARCH".utf8) else { return nil }
        words = parts.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The words of the request with this number of this client: the same on every run.
    init(client: Int, number: Int) {
        var random = SplitMix64(state: UInt64(client) << 32 | UInt64(number))
        words = (0..<6).map { _ in
            ArticleStore.vocabulary[Int(random.next() % UInt64(ArticleStore.vocabulary.count))]
        }
    }

    /// The request as it goes over the wire.
    var line: String { "SEARCH \(words.joined(separator: " "))\n" }
}
