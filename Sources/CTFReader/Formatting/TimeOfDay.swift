import Glibc

/// Formats times as local times of day, `15:04:04.622801777`. It caches the text of the last second.
struct TimeOfDay {
    private var second = Int64.min
    private var text: [UInt8] = []

    /// Appends a time.
    ///
    /// - Parameters:
    ///   - nanoseconds: nanoseconds from the Unix epoch.
    ///   - line: receives the text.
    mutating func append(_ nanoseconds: Int64, to line: inout LineBuffer) {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let second = remainder < 0 ? quotient - 1 : quotient
        if second != self.second {
            var time = time_t(second)
            var parts = tm()
            localtime_r(&time, &parts)
            var text = LineBuffer()
            text.append(UInt64(parts.tm_hour), digits: 2)
            text.append(":")
            text.append(UInt64(parts.tm_min), digits: 2)
            text.append(":")
            text.append(UInt64(parts.tm_sec), digits: 2)
            self.second = second
            text.append(".")
            self.text = text.bytes
        }
        line.append(text)
        line.append(nineDigits: UInt32(truncatingIfNeeded: remainder < 0 ? remainder + 1_000_000_000 : remainder))
    }

    /// Formats a time.
    ///
    /// - Parameter nanoseconds: nanoseconds from the Unix epoch.
    /// - Returns: the text, such as `15:04:04.622801777`.
    mutating func text(_ nanoseconds: Int64) -> String {
        var line = LineBuffer()
        append(nanoseconds, to: &line)
        return String(decoding: line.bytes, as: UTF8.self)
    }
}
