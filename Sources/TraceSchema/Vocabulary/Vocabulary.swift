/// The kinds of a thing, or the parts of a sum, with the words for them in every output.
///
/// The model, the reports and the page share these lists. `Tools/generate-schema` generates the Swift types
/// (`DispatchModel/Generated/Vocabulary.swift`), the tables of the page's script (`Web/trace/vocabulary.js`) and the
/// lists of the JSON Schemas from them.
public struct Vocabulary: Sendable {
    /// A kind or a part.
    public struct Term: Sendable {
        /// The name in JSON documents and tables, in snake case. It never changes.
        public let name: String
        /// The words in text reports. By default the name with spaces.
        public let title: String
        /// The words on the page. By default the title.
        public let pageTitle: String
        /// The definition, without a capital at the begin and without a full stop at the end.
        public let meaning: String
        /// Does the term say that the trace does not contain the cause?
        public let isUnknown: Bool

        public init(
            _ name: String, _ meaning: String, title: String? = nil, onPage pageTitle: String? = nil,
            isUnknown: Bool = false
        ) {
            self.name = name
            self.title = title ?? name.replacing("_", with: " ")
            self.pageTitle = pageTitle ?? self.title
            self.meaning = meaning
            self.isUnknown = isUnknown
        }
    }

    /// A type with a duration for each term, such as `WaitParts`.
    public struct Parts: Sendable {
        public let name: String
        public let summary: String
    }

    /// The name of the enumeration in generated code, such as `WaitPart`.
    public let name: String
    /// One sentence that describes the terms.
    public let summary: String
    /// The type of the sum; nil for kinds.
    public let parts: Parts?
    /// The terms. Their order is their number in the data of the page.
    public let terms: [Term]

    init(_ name: String, _ summary: String, parts: Parts? = nil, _ terms: [Term]) {
        self.name = name
        self.summary = summary
        self.parts = parts
        self.terms = terms
    }

    /// All vocabularies.
    public static let all = [waitPart, taskPart, stepKind, waitObject, markKind]
}
