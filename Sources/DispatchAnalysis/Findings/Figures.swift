import CTFReader

/// Formats numbers for texts.
enum Figures {
    /// `1,204`.
    static func count(_ value: Int) -> String { GroupedNumber.text(value) }

    /// `34 %`.
    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    /// `2.5`, `9`.
    static func oneDigit(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return count(tenths / 10) + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
    }

    /// `0.25`, `12.00`.
    static func twoDigits(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// `38 staircases`, `1 staircase`.
    static func plural(_ value: Int, _ noun: String) -> String { "\(count(value)) \(noun)\(value == 1 ? "" : "s")" }

    /// `, 32 times`, or empty for one.
    static func times(_ count: Int) -> String { count == 1 ? "" : ", \(self.count(count)) times" }

    /// `a`, `a and b`, `a, b and 3 more`.
    static func list(_ names: [String], limit: Int = 3) -> String {
        let shown = names.prefix(limit)
        let rest = names.count - shown.count
        if rest > 0 { return shown.joined(separator: ", ") + " and \(count(rest)) more" }
        guard shown.count > 1, let last = shown.last else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
