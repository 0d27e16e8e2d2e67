/// A token of the metadata: a word, a number, a text or a sign.
struct MetadataToken: Hashable, Sendable {
    /// The kind of a token.
    enum Kind: Hashable, Sendable {
        case word(String)
        case text(String)
        case number(UInt64)
        case sign(Sign)
        case end
    }

    /// The signs of TSDL.
    enum Sign: String, Sendable {
        case openBrace = "{", closeBrace = "}", openBracket = "[", closeBracket = "]"
        case openParenthesis = "(", closeParenthesis = ")", less = "<", greater = ">"
        case semicolon = ";", colon = ":", comma = ",", dot = ".", ellipsis = "...", equal = "=", assign = ":="
        case minus = "-", plus = "+", star = "*"
    }

    var kind: Kind
    /// Offset of the first byte in the metadata text.
    var offset: Int

    /// The token as shown in error messages.
    var shown: String {
        switch kind {
        case .word(let word): "'\(word)'"
        case .text(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .sign(let sign): "'\(sign.rawValue)'"
        case .end: "the end of the metadata"
        }
    }
}
