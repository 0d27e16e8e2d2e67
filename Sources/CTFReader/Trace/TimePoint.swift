import Glibc

/// A time in a trace, as written on the command line.
public enum TimePoint: Hashable, Sendable {
    /// Nanoseconds after the first event record: `12.5s`, `350ms`, `80us`, `2m`; `12.5` is seconds.
    case sinceBegin(Int64)
    /// Nanoseconds before the last event record: `-2s`.
    case beforeEnd(Int64)
    /// Nanoseconds since 1970-01-01T00:00:00Z: `2026-11-22T18:37:08.5Z`.
    case wallClock(Int64)
    /// Nanoseconds since midnight on the day of the trace: `18:37:08.5`. `offset` is the offset of the time zone in
    /// seconds; nil for the local time zone.
    case timeOfDay(Int64, offset: Int?)

    /// Parses a time.
    ///
    /// - Parameter text: a length of time with a unit (ns, us, ms, s, m, h), from the start of the trace or, with a
    ///   minus sign, before its end; a time of day; or a date and a time of day. A time of day is local unless `Z`,
    ///   `UTC` or an offset such as `+02:00` follows.
    /// - Returns: nil for any other text.
    public init?(_ text: String) {
        var scanner = Scanner(text)
        if let moment = Self.clock(&scanner) {
            self = moment
            return
        }
        scanner = Scanner(text)
        let isBeforeEnd = scanner.take("-")
        if !isBeforeEnd { _ = scanner.take("+") }
        guard let length = scanner.length(), scanner.isAtEnd else { return nil }
        self = isBeforeEnd ? .beforeEnd(length) : .sinceBegin(length)
    }

    private static let second: Int64 = 1_000_000_000
    private static let day: Int64 = 86_400 * second

    /// `[YYYY-MM-DD[T ]]hh:mm[:ss[.fraction]][zone]`
    private static func clock(_ scanner: inout Scanner) -> TimePoint? {
        var date: tm?
        let start = scanner
        if let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
            scanner.take("-"), let monthDay = scanner.number(digits: 2), scanner.take("T") || scanner.take(" "),
            (1...12).contains(month), (1...31).contains(monthDay), year >= 1970, year < 2200
        {
            var parts = tm()
            parts.tm_year = Int32(year - 1900)
            parts.tm_mon = Int32(month - 1)
            parts.tm_mday = Int32(monthDay)
            date = parts
        } else {
            scanner = start
        }
        guard let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
            hour < 24, minute < 60
        else { return nil }
        var time = Int64(hour * 3600 + minute * 60) * second
        if scanner.take(":") {
            guard let seconds = scanner.decimal(scale: second), seconds < 60 * second else { return nil }
            time += seconds
        }
        let offset = scanner.zone()
        guard scanner.isAtEnd else { return nil }
        guard var date else { return .timeOfDay(time, offset: offset) }
        let midnight: Int64
        if let offset {
            midnight = Int64(timegm(&date)) - Int64(offset)
        } else {
            // Daylight saving time depends on the hour.
            date.tm_hour = Int32(hour)
            date.tm_min = Int32(minute)
            date.tm_isdst = -1
            midnight = Int64(mktime(&date)) - Int64(hour * 3600 + minute * 60)
        }
        return .wallClock(midnight * second + time)
    }

    /// Resolves the time in a trace. The result may be outside the trace.
    ///
    /// - Parameter whole: the times of the first and the last event record, in nanoseconds since 1970-01-01T00:00:00Z.
    /// - Returns: nanoseconds since 1970-01-01T00:00:00Z.
    public func resolved(in whole: ClosedRange<Int64>) -> Int64 {
        switch self {
        case .sinceBegin(let length): return whole.lowerBound.clamped(plus: length)
        case .beforeEnd(let length): return whole.upperBound.clamped(minus: length)
        case .wallClock(let time): return time
        case .timeOfDay(let time, let offset):
            var begin = time_t(whole.lowerBound / Self.second)
            var midnight: Int64
            if let offset {
                let local = Int64(begin) + Int64(offset)
                midnight = local - local % 86_400 - Int64(offset)
            } else {
                var parts = tm()
                localtime_r(&begin, &parts)
                parts.tm_hour = Int32(time / (3600 * Self.second))
                parts.tm_min = Int32(time / (60 * Self.second) % 60)
                parts.tm_sec = 0
                parts.tm_isdst = -1
                midnight = Int64(mktime(&parts)) - time / (60 * Self.second) * 60
            }
            let today = midnight * Self.second + time
            // If the trace continues past midnight, the time may be on the next day.
            return today < whole.lowerBound && today + Self.day <= whole.upperBound ? today + Self.day : today
        }
    }
}

/// A parser for texts.
private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func digit() -> Int64? {
        guard let byte = rest.first, (48...57).contains(byte) else { return nil }
        rest = rest.dropFirst()
        return Int64(byte) - 48
    }

    /// Parses a number with exactly this many digits.
    mutating func number(digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// Parses a number with an optional fraction and multiplies it by a scale, rounded down.
    mutating func decimal(scale: Int64) -> Int64? {
        guard let first = digit() else { return nil }
        var whole = first
        while let digit = digit() {
            whole = whole * 10 + digit
            guard whole < 1 << 40 else { return nil }
        }
        // The fraction is smaller than the scale.
        guard whole < .max / scale else { return nil }
        var value = whole * scale
        guard take(".") else { return value }
        var place = scale
        guard let tenth = digit() else { return nil }
        place /= 10
        value += tenth * place
        while let digit = digit() {
            // Scales below a second are powers of ten. For minutes and hours the fraction is exact to a nanosecond.
            place /= 10
            value += digit * place
        }
        return value
    }

    /// Parses a length of time in nanoseconds.
    mutating func length() -> Int64? {
        let units: [(String, Int64)] = [
            ("ns", 1), ("us", 1_000), ("µs", 1_000), ("μs", 1_000), ("ms", 1_000_000), ("min", 60_000_000_000),
            ("m", 60_000_000_000), ("h", 3_600_000_000_000), ("s", 1_000_000_000),
        ]
        var ahead = self
        guard ahead.decimal(scale: 1) != nil else { return nil }
        _ = ahead.take(" ")
        let scale = units.first { ahead.take($0.0) }?.1 ?? 1_000_000_000
        guard ahead.isAtEnd, let length = decimal(scale: scale) else { return nil }
        rest = ahead.rest
        return length
    }

    /// Parses the offset of a time zone in seconds; nil when there is none.
    mutating func zone() -> Int? {
        if take("Z") || take(" UTC") || take("UTC") { return 0 }
        let start = self
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(digits: 2), take(":") || true, let minutes = number(digits: 2)
        else {
            self = start
            return nil
        }
        return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
    }
}
