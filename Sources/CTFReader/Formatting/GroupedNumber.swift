/// Whole numbers for people, with a comma between thousands: `1,234,567`.
///
/// Every text of the product has them so: reports, findings, messages, and the page of a timeline. Formats for programs
/// have plain digits.
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
