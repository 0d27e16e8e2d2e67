import DispatchModel

extension TriggerCondition {
    /// Parses a condition.
    ///
    /// - Parameter text: `SUBJECT[=NAME] [MEASURE]>LIMIT`, with spaces between the parts where they are needed. A name
    ///   with spaces, `=` or `>` is in quotes: `queue="my queue" wait>1s`.
    /// - Throws: ``TriggerConditionError`` with the part that is wrong, and an example.
    public init(_ text: String) throws(TriggerConditionError) {
        var parser = Parser(text: text)
        self = try parser.condition()
    }

    /// A form that a condition may have.
    private struct Form {
        let subject: String
        /// Empty for a condition such as `workers>64`.
        let measure: String
        let name: Name
        let limit: LimitKind
        let example: String
        let make: @Sendable (NamePattern) -> Subject
    }

    private enum Name { case required, possible, none }
    private enum LimitKind { case time, count, none }

    private static let forms: [Form] = [
        Form(
            subject: "queue", measure: "wait", name: .required, limit: .time,
            example: "queue=com.example.db wait>250ms", make: { .queueWait($0) }),
        Form(
            subject: "queue", measure: "depth", name: .required, limit: .count,
            example: "queue=com.example.db depth>100", make: { .queueDepth($0) }),
        Form(
            subject: "actor", measure: "wait", name: .required, limit: .time, example: "actor=* wait>1s",
            make: { .actorWait($0) }),
        Form(
            subject: "main", measure: "blocked", name: .none, limit: .time, example: "main blocked>250ms",
            make: { _ in .mainBlocked }),
        Form(
            subject: "loop", measure: "blocked", name: .possible, limit: .time, example: "loop blocked>50ms",
            make: { .loopBlocked($0) }),
        Form(
            subject: "workers", measure: "", name: .none, limit: .count, example: "workers>64",
            make: { _ in .workers }),
        Form(
            subject: "pool", measure: "starved", name: .none, limit: .time, example: "pool starved>100ms",
            make: { _ in .poolStarved }),
        Form(
            subject: "request", measure: "", name: .possible, limit: .time, example: "request>2s",
            make: { .request($0) }),
        Form(
            subject: "deadlock", measure: "", name: .none, limit: .none, example: "deadlock",
            make: { _ in .deadlock }),
    ]

    private struct Parser {
        let text: String
        private var rest: Substring

        init(text: String) {
            self.text = text
            rest = text[...]
        }

        mutating func condition() throws(TriggerConditionError) -> TriggerCondition {
            let subject = word()
            let forms = TriggerCondition.forms.filter { $0.subject == subject }
            guard let first = forms.first else { throw unknown(subject) }
            let name = try self.name(for: first)
            let measure = word()
            guard let form = forms.first(where: { $0.measure == measure }) else {
                let measures = forms.map { $0.measure.isEmpty ? "nothing" : $0.measure }.joined(separator: " or ")
                throw failure(
                    "\(subject) is followed by \(measures)" + (measure.isEmpty ? "" : ", not by \(measure)"), first)
            }
            let limit = try self.limit(for: form)
            let named = name.map { "\(subject)=\($0.contains(where: Self.needsQuotes) ? "\"\($0)\"" : $0)" }
            let words = [named ?? subject, measure].filter { !$0.isEmpty }.joined(separator: " ")
            return TriggerCondition(
                form.make(name.map { NamePattern($0[...]) } ?? .any), limit.value, description: words + limit.text)
        }

        private static func needsQuotes(_ character: Character) -> Bool { character == " " || character == ">" }

        private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

        /// The next letters; empty when a sign follows.
        private mutating func word() -> String {
            skipSpaces()
            let word = rest.prefix { $0.isLetter || $0 == "-" }
            rest = rest.dropFirst(word.count)
            return String(word)
        }

        private mutating func name(for form: Form) throws(TriggerConditionError) -> String? {
            skipSpaces()
            guard rest.first == "=" else {
                if case .required = form.name { throw failure("\(form.subject) needs a name", form) }
                return nil
            }
            if case .none = form.name { throw failure("\(form.subject) has no name", form) }
            rest = rest.dropFirst()
            let name: Substring
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else { throw failure("the name has no closing quote", form) }
                name = rest[..<end]
                rest = rest[end...].dropFirst()
            } else {
                name = rest.prefix { !Self.needsQuotes($0) }
                rest = rest.dropFirst(name.count)
            }
            guard !name.isEmpty else { throw failure("the name is empty; * is any name", form) }
            return String(name)
        }

        private mutating func limit(
            for form: Form
        ) throws(TriggerConditionError) -> (value: Limit, text: String) {
            skipSpaces()
            if case .none = form.limit {
                guard rest.isEmpty else { throw failure("\(form.subject) has no limit", form) }
                return (.none, "")
            }
            guard rest.first == ">" else { throw failure("a limit with > is missing", form) }
            rest = rest.dropFirst()
            skipSpaces()
            let text = String(rest.reversed().drop { $0 == " " }.reversed())
            if case .count = form.limit {
                guard let count = Int(text), count >= 0 else { throw failure("'\(text)' is not a number", form) }
                return (.count(count), ">\(count)")
            }
            guard let time = Self.time(text) else {
                throw failure("'\(text)' is not a time such as 250ms, 2s or 1m", form)
            }
            return (.time(time), ">\(text)")
        }

        private static let units: [(name: String, nanoseconds: Double)] = [
            ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9),
        ]
        /// A day.
        private static let longest = 24 * 3600e9

        private static func time(_ text: String) -> Nanoseconds? {
            let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let number = Double(digits),
                let unit = units.first(where: { $0.name == text.dropFirst(digits.count) }),
                case let length = number * unit.nanoseconds, length >= 1_000, length <= longest
            else { return nil }
            return Nanoseconds(Int64(length))
        }

        private func failure(_ reason: String, _ form: Form) -> TriggerConditionError {
            TriggerConditionError(description: "'\(text)' is no condition: \(reason), as in '\(form.example)'")
        }

        private func unknown(_ subject: String) -> TriggerConditionError {
            let examples = TriggerCondition.forms.map(\.example).joined(separator: "', '")
            return TriggerConditionError(
                description: "'\(text)' is no condition: it begins with none of the known words; the conditions are "
                    + "'\(examples)'")
        }
    }
}
