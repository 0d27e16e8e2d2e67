import Dispatch

/// The database: articles in memory, with a word search.
///
/// Immutable after creation. The service runs its queries on `queue`, one at a time, as on a single database
/// connection.
final class ArticleStore: Sendable {
    fileprivate struct Article {
        let title: String
        let words: [UInt64]
    }

    /// The queue of the database.
    let queue = TracedQueue(label: "news.database")

    private let articles: [Article]
    private let signposter = Signposter(subsystem: "org.queuescope.news", category: "database")

    /// The words of articles and queries.
    static let vocabulary: [String] = {
        let subjects = ["city", "market", "league", "river", "senate", "engine", "museum", "harvest", "orbit", "choir"]
        let verbs = ["opens", "rises", "wins", "floods", "votes", "starts", "shows", "begins", "lands", "sings"]
        return subjects.flatMap { subject in verbs.map { "\(subject)-\($0)" } } + subjects + verbs
    }()

    init(count: Int = 120) {
        var random = SplitMix64(state: 2016)
        articles = (0..<count).map { number in
            let words = (0..<64).map { _ in Self.vocabulary[Int(random.next() % UInt64(Self.vocabulary.count))] }
            return Article(
                title: "#\(number) \(words.prefix(4).joined(separator: " "))",
                words: words.map { Fingerprint.of($0.utf8) }.sorted())
        }
    }

    /// The answer to a query: the titles of the articles with most of its words, best first.
    ///
    /// Call on `queue`.
    func search(_ query: Query) -> String {
        signposter.withIntervalSignpost("search", query.words.first ?? "") {
            let wanted = query.words.map { Fingerprint.of($0.utf8) }
            var scores: [(score: Int, number: Int)] = []
            for (number, article) in articles.enumerated() {
                let score = wanted.reduce(0) { $0 + article.occurrences(of: $1) }
                if score > 0 { scores.append((score, number)) }
            }
            scores.sort { ($1.score, $0.number) < ($0.score, $1.number) }
            return scores.prefix(5).map { "\($0.score) \(articles[$0.number].title)" }.joined(separator: "; ")
        }
    }
}

extension ArticleStore.Article {
    /// The number of occurrences of a word in the article, whose words are sorted.
    fileprivate func occurrences(of word: UInt64) -> Int {
        var (low, high) = (0, words.count)
        while low < high {
            let middle = (low + high) / 2
            if words[middle] < word { low = middle + 1 } else { high = middle }
        }
        return words[low...].prefix { $0 == word }.count
    }
}
