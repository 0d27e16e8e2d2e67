/// A field of an event's payload.
public struct EventField: Sendable, Equatable {
    /// The layout of a value. All types are byte aligned and have the byte order of the recording machine.
    public enum FieldType: Sendable, Equatable {
        case u8, u16, u32, u64
        /// 48 bits, for ids, addresses and serial numbers of queues. Each saves two bytes. User-space addresses fit. A
        /// program that creates a million queues a second uses the serial numbers up after nine years.
        case u48
        case i64
        /// A named enumeration stored in one byte.
        case enumeration(Enumeration)
        /// NUL-terminated UTF-8.
        case string
        /// A 16-bit count followed by that number of 48-bit addresses, innermost frame first.
        case addresses

        /// The size in bytes; nil for a type of variable size.
        public var fixedSize: Int? {
            switch self {
            case .u8, .enumeration: 1
            case .u16: 2
            case .u32: 4
            case .u48: 6
            case .u64, .i64: 8
            case .string, .addresses: nil
            }
        }
    }

    /// The number base for display.
    public enum Base: Sendable, Equatable { case decimal, hexadecimal }

    public let name: String
    public let type: FieldType
    /// The unit of the value; nil for ids, counts and names.
    public let unit: String?
    public let base: Base
    /// The schema version that introduced the field, `major.minor`. A field that is newer than its event must be last.
    public let since: String
    /// The meaning of the value, in a few words.
    public let summary: String

    public init(
        _ name: String, _ type: FieldType, unit: String? = nil, base: Base = .decimal, since: String = "1.0",
        _ summary: String
    ) {
        self.name = name
        self.type = type
        self.unit = unit
        self.base = base
        self.since = since
        self.summary = summary
    }
}

extension EventClass {
    /// Was the field added after its event? Traces of older versions do not have it.
    public func isLater(_ field: EventField) -> Bool { Self.minor(field.since) > Self.minor(since) }

    private static func minor(_ version: String) -> Int { version.split(separator: ".").last.flatMap { Int($0) } ?? 0 }
}

/// A named set of one-byte values. A reader shows unknown values as numbers.
public struct Enumeration: Sendable, Equatable {
    public struct Case: Sendable, Equatable {
        public let name: String
        public let value: UInt8
        /// The words on the page. By default the name with spaces.
        public let title: String
    }

    /// The name of the type in generated code, such as `ItemKind`.
    public let name: String
    public let cases: [Case]
    public let summary: String

    public init(
        _ name: String, _ summary: String, _ cases: KeyValuePairs<String, UInt8>, titles: [String: String] = [:]
    ) {
        self.name = name
        self.summary = summary
        self.cases = cases.map {
            Case(name: $0.key, value: $0.value, title: titles[$0.key] ?? $0.key.replacing("_", with: " "))
        }
    }
}
