import TraceSchema

extension Vocabulary.Term {
    fileprivate var swiftName: String { identifier(camelCase(name)) }

    /// The meaning as a sentence.
    var sentence: String { meaning.prefix(1).uppercased() + meaning.dropFirst() + "." }
}

extension Vocabulary {
    /// The enumeration of the terms.
    fileprivate var swiftEnumeration: String {
        var text = "/// \(summary)\npublic enum \(name): UInt8, VocabularyTerm {\n"
        for term in terms { text += "    /// \(term.sentence)\n    case \(term.swiftName)\n" }
        let cases = terms.map { "." + $0.swiftName }.joined(separator: ", ")
        text += "\n    public static let allCases: [\(name)] = [\(cases)]\n"
        text += "    public static let words: [VocabularyWords] = [\n"
        for term in terms {
            text += "        .init(\"\(term.name)\", \"\(term.title)\", \"\(term.meaning)\"),\n"
        }
        text += "    ]\n"
        let unknown = terms.filter(\.isUnknown).map { "." + $0.swiftName }
        if !unknown.isEmpty {
            text += "\n    /// Whether the kind is a cause. Otherwise the trace does not contain the cause.\n"
            text += "    public var isNamed: Bool {\n        switch self {\n"
            text += "        case \(unknown.joined(separator: ", ")): false\n        default: true\n        }\n    }\n"
        }
        return text + "}\n"
    }

    /// The type with a duration for each term.
    fileprivate func swiftStruct(_ parts: Parts) -> String {
        var text =
            "/// \(parts.summary)\npublic struct \(parts.name): Sendable, Equatable, BitwiseCopyable, Encodable {\n"
        for term in terms { text += "    /// \(term.sentence)\n    public var \(term.swiftName) = Nanoseconds.zero\n" }
        text += "\n    /// Creates parts of zero.\n    @inlinable public init() {}\n\n"
        text += "    enum CodingKeys: String, CodingKey {\n"
        for term in terms { text += "        case \(term.swiftName) = \"\(term.name)\"\n" }
        text += "    }\n\n    /// One part.\n    @inlinable public subscript(part: \(name)) -> Nanoseconds {\n"
        text += "        switch part {\n"
        for term in terms { text += "        case .\(term.swiftName): \(term.swiftName)\n" }
        text += "        }\n"
        text += "    }\n\n    /// The sum of the parts.\n    @inlinable public var total: Nanoseconds {\n"
        text += "        \(terms.map(\.swiftName).joined(separator: " + "))\n    }\n\n"
        text += "    /// Adds each part.\n"
        text += "    @inlinable public static func += (left: inout \(parts.name), right: \(parts.name)) {\n"
        for term in terms { text += "        left.\(term.swiftName) += right.\(term.swiftName)\n" }
        return text + "    }\n}\n\nextension \(parts.name): VocabularyParts {}\n"
    }
}

extension GeneratedFile {
    /// The types of the vocabularies, and the sums of their parts.
    static var swiftVocabulary: GeneratedFile {
        var declarations: [String] = []
        for vocabulary in Vocabulary.all {
            declarations.append(vocabulary.swiftEnumeration)
            if let parts = vocabulary.parts { declarations.append(vocabulary.swiftStruct(parts)) }
        }
        return GeneratedFile(
            path: "Sources/DispatchModel/Generated/Vocabulary.swift",
            contents: "// \(notice)\n// swift-format-ignore-file\n\n" + declarations.joined(separator: "\n"))
    }
}
