/// One field of an event's payload.
public struct EventField: Sendable, Equatable {
    /// How a value is laid out. All types are byte aligned and in the byte order of the recording machine.
    public enum FieldType: Sendable, Equatable {
        case u8, u16, u32, u64
        /// 48 bits: item ids and addresses. User-space addresses fit, and it saves two bytes in every item event.
        case u48
        case i64
        /// A named enumeration stored in one byte.
        case enumeration(Enumeration)
        /// NUL-terminated UTF-8.
        case string
        /// A 16-bit count followed by as many 48-bit addresses, innermost frame first.
        case addresses

        /// Bytes in the payload, nil for a type whose values differ in size.
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

    /// How a person should see the value.
    public enum Base: Sendable, Equatable { case decimal, hexadecimal }

    public let name: String
    public let type: FieldType
    /// The unit of the value, nil for ids, counts and names.
    public let unit: String?
    public let base: Base
    /// The schema version that introduced it, `major.minor`; a field newer than its event comes last.
    public let since: String
    /// What the value means, in a few words.
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
    /// Whether a field came after its event: traces of older versions do not have it.
    public func isLater(_ field: EventField) -> Bool { Self.minor(field.since) > Self.minor(since) }

    private static func minor(_ version: String) -> Int { version.split(separator: ".").last.flatMap { Int($0) } ?? 0 }
}

/// A named set of one-byte values. Values that a reader does not know stay readable as numbers.
public struct Enumeration: Sendable, Equatable {
    public struct Case: Sendable, Equatable {
        public let name: String
        public let value: UInt8
    }

    /// The type's name in generated code, such as `ItemKind`.
    public let name: String
    public let cases: [Case]
    public let summary: String

    public init(_ name: String, _ summary: String, _ cases: KeyValuePairs<String, UInt8>) {
        self.name = name
        self.summary = summary
        self.cases = cases.map { Case(name: $0.key, value: $0.value) }
    }
}
