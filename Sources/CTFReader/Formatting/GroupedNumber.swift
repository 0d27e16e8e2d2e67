/// Formats integers with commas between groups of thousands: `1,234,567`.
///
/// All texts for people use this format: reports, findings, messages, and the timeline page. Machine-readable output
/// has plain digits.
package enum GroupedNumber {
    /// The number in decimal digits, in groups of three.
    package static func text(_ number: some BinaryInteger) -> String {
        let digits = String(number.magnitude)
        var result = number < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }
}
