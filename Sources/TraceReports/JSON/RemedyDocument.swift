import DispatchAnalysis

/// The advice of a finding as data.
struct RemedyDocument: Encodable {
    let fix: Fix
    /// The advice with the kind of each argument in its place, such as `{queue}`.
    let template: NonEmptyText
    /// The arguments in the order of the template.
    let arguments: [ArgumentDocument]

    init(_ advice: Advice) {
        fix = advice.fix
        template = advice.phrase.template
        arguments = advice.phrase.arguments.map { ArgumentDocument($0) }
    }
}

/// A value in a template. A number with a unit is a member, such as `duration_ns`.
struct ArgumentDocument: Encodable {
    let kind: Phrase.Kind
    /// The value as the text report shows it. The text of a place begins with a space.
    let text: String
    private let quantity: QuantityDocument

    private enum CodingKeys: String, CodingKey { case kind, text }

    init(_ argument: Phrase.Argument) {
        kind = argument.kind
        text = argument.text
        quantity = QuantityDocument(argument.quantity)
    }

    func encode(to encoder: any Encoder) throws {
        try quantity.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(text, forKey: .text)
    }
}
