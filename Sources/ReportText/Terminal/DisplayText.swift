/// Text of the traced program, made safe and measurable for a terminal.
///
/// Labels, names and messages are untrusted data. An escape sequence in a queue label must not reach the terminal, and
/// an invisible or direction-changing character must not make one label look like another.
public enum DisplayText {
    /// Writes every character that a terminal interprets or does not show as `\u{…}`.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        case 0x00..<0x20, 0x7F..<0xA0: true
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: true  // line separators, interlinear annotation
        case 0xFE0F: false  // asks for the colour form of an emoji, visibly
        default: scalar.properties.generalCategory == .format || scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Number of terminal columns of the text: 2 for East Asian wide characters and emoji, 0 for combining marks.
    package static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width($1) }
    }

    private static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.generalCategory == .nonspacingMark { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return 1
        }
    }

    /// Cuts a text in the middle, because both ends of a reverse-DNS label are significant.
    ///
    /// - Parameters:
    ///   - text: one line.
    ///   - limit: the most columns of the result.
    /// - Returns: the text in at most `limit` columns.
    public static func shortened(_ text: String, to limit: Int) -> String {
        guard width(text) > limit else { return text }
        guard limit > 1 else { return limit == 1 ? "…" : "" }
        let room = limit - 1
        let tail = suffix(text, columns: (room + 1) / 2)
        let head = prefix(text, columns: room - width(tail))
        return head + "…" + tail
    }

    /// A short symbol in at most `limit` columns. The last labels are removed first, then the middle.
    package static func shortened(symbol: String, to limit: Int) -> String {
        var text = symbol
        while width(text) > limit, text.hasSuffix(":)") || text.hasSuffix(":…)"),
            let label = text.dropLast(text.hasSuffix("…)") ? 3 : 2).lastIndex(where: { $0 == ":" || $0 == "(" })
        {
            text = text[...label] + "…)"
        }
        return shortened(text, to: limit)
    }

    /// Shortens several texts, so that different texts stay different. When the cut in the middle makes two texts
    /// equal, the cut is made before their first difference instead.
    ///
    /// - Parameter texts: each text with its largest number of columns.
    package static func shortened(_ texts: [(text: String, limit: Int)]) -> [String] {
        var shown = texts.map { shortened($0.text, to: $0.limit) }
        for positions in Dictionary(grouping: shown.indices, by: { shown[$0] }).values where positions.count > 1 {
            let different = Set(positions.map { texts[$0].text })
            guard different.count > 1, let one = different.first else { continue }
            let common = different.dropFirst().reduce(one) { common, text in
                String(zip(common, text).prefix { $0 == $1 }.map(\.0))
            }
            for position in positions {
                shown[position] = shortened(texts[position].text, to: texts[position].limit, from: common.count)
            }
        }
        return shown
    }

    /// The part of the text that begins shortly before the character `offset`, in at most `limit` columns.
    private static func shortened(_ text: String, to limit: Int, from offset: Int) -> String {
        guard limit > 2 else { return shortened(text, to: limit) }
        let rest = text.dropFirst(max(0, min(offset - 2, text.count - limit + 1)))
        return "…" + (width(String(rest)) < limit ? String(rest) : prefix(String(rest), columns: limit - 2) + "…")
    }

    /// Cuts a text at its end.
    ///
    /// - Parameters:
    ///   - text: one line.
    ///   - limit: the most columns of the result, at least 1.
    /// - Returns: the text in at most `limit` columns.
    package static func ended(_ text: String, at limit: Int) -> String { prefix(text, columns: limit - 1) + "…" }

    private static func prefix(_ text: String, columns: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += width(character)
                return used <= columns
            })
    }

    private static func suffix(_ text: String, columns: Int) -> String {
        String(prefix(String(text.reversed()), columns: columns).reversed())
    }

    /// Pads a text with spaces.
    ///
    /// - Parameters:
    ///   - text: one line.
    ///   - columns: the width of the result; a wider text is not changed.
    ///   - toRight: whether the spaces precede the text.
    /// - Returns: the padded text.
    public static func padded(_ text: String, to columns: Int, toRight: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, columns - width(text)))
        return toRight ? padding + text : text + padding
    }
}
