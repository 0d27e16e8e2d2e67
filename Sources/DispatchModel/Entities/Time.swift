/// An instant: nanoseconds since the trace's first event record.
///
/// The origin is the start of the trace, not of the machine, so that values stay exact in 64 bits and readable.
/// ``TraceOrigin`` has the wall-clock time of the origin.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Nanoseconds since the trace's first event record.
    public var nanoseconds: Int64

    /// Creates an instant from the number of nanoseconds since the trace's first event record.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The time of the trace's first event record.
    @inlinable public static var zero: Timestamp { Timestamp(nanoseconds: 0) }
    /// Later than every instant of a trace. Used as the end of operations that are still open.
    @inlinable public static var distantFuture: Timestamp { Timestamp(nanoseconds: .max) }

    /// Orders instants by time.
    @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The duration from `right` to `left`; negative when `left` is earlier.
    @inlinable public static func - (left: Timestamp, right: Timestamp) -> Nanoseconds {
        Nanoseconds(left.nanoseconds - right.nanoseconds)
    }

    /// The instant that is `right` later.
    @inlinable public static func + (left: Timestamp, right: Nanoseconds) -> Timestamp {
        Timestamp(nanoseconds: left.nanoseconds + right.count)
    }
    /// Moves the instant by `right`.
    @inlinable public static func += (left: inout Timestamp, right: Nanoseconds) { left = left + right }

    /// The time since the origin, with a unit.
    public var description: String { Nanoseconds(nanoseconds).description }
}

/// A duration in nanoseconds.
public struct Nanoseconds: Sendable, Hashable, BitwiseCopyable, Comparable, AdditiveArithmetic, Encodable,
    CustomStringConvertible
{
    /// Nanoseconds; negative when the end precedes the begin.
    public var count: Int64

    /// Creates a duration from nanoseconds.
    @inlinable public init(_ count: Int64) { self.count = count }

    /// Creates a duration from microseconds.
    @inlinable public static func microseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000) }
    @inlinable public static func milliseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000) }
    @inlinable public static func seconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000_000) }

    /// The duration in seconds.
    package var asSeconds: Double { Double(count) / 1e9 }

    /// The duration zero.
    @inlinable public static var zero: Nanoseconds { Nanoseconds(0) }

    /// Orders durations by length.
    @inlinable public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
    @inlinable public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(left.count + right.count)
    }
    /// The difference.
    @inlinable public static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(left.count - right.count)
    }

    /// Three significant digits with the largest fitting unit: `940 ns`, `1.24 µs`, `83.0 ms`, `12.5 s`.
    public var description: String {
        let magnitude = Double(count.magnitude)
        let sign = count < 0 ? "-" : ""
        let (value, unit): (Double, String) =
            switch magnitude {
            case ..<1_000: (magnitude, "ns")
            case ..<999_500: (magnitude / 1e3, "µs")
            case ..<999_500_000: (magnitude / 1e6, "ms")
            default: (magnitude / 1e9, "s")
            }
        guard unit != "ns" else { return "\(sign)\(count.magnitude) ns" }
        return sign + Self.threeDigits(value) + " " + unit
    }

    /// Encodes the number of nanoseconds.
    public func encode(to encoder: any Encoder) throws { try count.encode(to: encoder) }

    private static func threeDigits(_ value: Double) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let scale: Int64 = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let scaled = Int64((value * Double(scale)).rounded())
        guard decimals > 0 else { return "\(scaled)" }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}

extension Timestamp: Encodable {
    /// Encodes the number of nanoseconds.
    public func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }
}
