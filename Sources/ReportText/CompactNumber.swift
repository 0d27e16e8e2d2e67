import CTFReader
import DispatchModel

/// Formats numbers for narrow columns and for sentences.
package enum CompactNumber {
    /// A duration in at most 5 columns, with two significant digits or three integer digits: `940ns`, `1.2µs`, `83µs`,
    /// `412ms`, `12s`.
    package static func duration(_ duration: Nanoseconds) -> String {
        let count = Double(duration.count)
        switch duration.count.magnitude {
        case 0: return "0"
        case ..<1_000: return "\(duration.count)ns"
        case ..<999_500: return twoDigits(count / 1e3) + "µs"
        case ..<999_500_000: return twoDigits(count / 1e6) + "ms"
        case ..<999_500_000_000: return twoDigits(count / 1e9) + "s"
        default: return "\(Int64((count / 60e9).rounded()))min"
        }
    }

    private static func twoDigits(_ value: Double) -> String {
        guard value.magnitude < 9.95 else { return "\(Int64(value.rounded()))" }
        return decimal(Int64((value * 10).rounded()), places: 1)
    }

    /// A count in at most 6 columns: `999`, `41,233`, `1.24M`.
    package static func count(_ count: Int) -> String {
        switch count.magnitude {
        case ..<100_000: return grouped(count)
        case ..<999_500: return "\(Int((Double(count) / 1e3).rounded()))k"
        case ..<999_500_000: return threeDigits(Double(count) / 1e6) + "M"
        default: return threeDigits(Double(count) / 1e9) + "G"
        }
    }

    private static func threeDigits(_ value: Double) -> String {
        if value < 9.995 { return decimal(Int64((value * 100).rounded()), places: 2) }
        if value < 99.95 { return decimal(Int64((value * 10).rounded()), places: 1) }
        return "\(Int(value.rounded()))"
    }

    /// A rate in at most 6 columns: `0`, `0.3`, `12`, `41,233`.
    package static func rate(_ rate: Double) -> String {
        rate > 0 && rate < 9.95 ? twoDigits(rate) : count(Int(min(max(rate, 0), 1e15).rounded()))
    }

    /// A count with a separator for thousands: `1,234,567`.
    package static func grouped(_ count: Int) -> String { GroupedNumber.text(count) }

    /// A share as a percentage: `0%`, `<1%`, `37%`.
    package static func percent(_ share: Double) -> String {
        guard share.isFinite, share > 0 else { return "0%" }
        let whole = Int((min(share, 1e6) * 100).rounded())
        return whole == 0 ? "<1%" : "\(whole)%"
    }

    /// A time in seconds since the begin of the trace, with microseconds: `1.234567 s`.
    package static func place(_ time: Timestamp) -> String {
        decimal(time.nanoseconds / 1_000, places: 6) + " s"
    }

    /// Seconds since the trace's begin with nanoseconds, for a time that `--item THREAD@TIME` takes: `1.234567890 s`.
    package static func exactPlace(_ time: Timestamp) -> String {
        decimal(time.nanoseconds, places: 9) + " s"
    }

    /// A fixed-point number: `1.05` for 105 with two decimal places.
    package static func decimal(_ scaled: Int64, places: Int) -> String {
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(scaled < 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
    }

    /// `2 processors`, `1 processor (of 64 online)`, `1.5 processors (CFS quota; 8 of 64 allowed)`.
    package static func processors(_ processors: UsableProcessors) -> String {
        let isRestricted = processors.online > processors.allowed
        guard processors.isThrottled else {
            let whole = isRestricted ? " (of \(grouped(processors.online)) online)" : ""
            return counted(processors.allowed, "processor") + whole
        }
        let milli = processors.quotaMilli
        let quota =
            milli % 1_000 == 0 ? counted(milli / 1_000, "processor") : "\(Double(milli) / 1_000) processors"
        let whole = isRestricted ? " of \(grouped(processors.online))" : ""
        return "\(quota) (CFS quota; \(grouped(processors.allowed))\(whole) allowed)"
    }

    /// A count with its noun: `1 queue`, `64 queues`. `plural` is for nouns whose plural does not end in an s.
    package static func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
        "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
