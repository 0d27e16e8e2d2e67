/// A kind or a part of one of the catalogue's vocabularies. `Tools/generate-schema` generates the types.
///
/// Documents encode the name.
public protocol VocabularyTerm: RawRepresentable<UInt8>, CaseIterable, Hashable, Sendable, Encodable {
    /// The words of all terms, by raw value.
    static var words: [VocabularyWords] { get }
}

/// The words for a term.
public struct VocabularyWords: Sendable {
    let name: String
    let title: String
    let meaning: String

    init(_ name: String, _ title: String, _ meaning: String) {
        (self.name, self.title, self.meaning) = (name, title, meaning)
    }
}

extension VocabularyTerm {
    /// The name in JSON documents and tables, in snake case.
    public var name: String { Self.words[Int(rawValue)].name }
    /// The words in text reports.
    public var title: String { Self.words[Int(rawValue)].title }
    /// The definition, without a capital at the begin and without a full stop at the end.
    public var meaning: String { Self.words[Int(rawValue)].meaning }

    public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

/// A sum of durations with a part for each term of a vocabulary.
public protocol VocabularyParts: Sendable {
    associatedtype Part: VocabularyTerm
    subscript(part: Part) -> Nanoseconds { get }
}

/// A part of a sum and its duration.
public struct PartOfTime<Part: VocabularyTerm>: Sendable {
    public let part: Part
    public let value: Nanoseconds

    /// The name of the part in JSON documents and tables.
    public var name: String { part.name }
    /// The words for the part in text reports.
    public var title: String { part.title }
}

extension VocabularyParts {
    /// All parts with their durations, in the order of the vocabulary.
    public var named: [PartOfTime<Part>] { Part.allCases.map { PartOfTime(part: $0, value: self[$0]) } }
}
