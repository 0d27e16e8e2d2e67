import FoundationEssentials

/// A fragment of CTF 2 metadata: one JSON object of the text sequence. Each type of fragment uses some of the
/// properties.
struct MetadataFragment: Decodable {
    var type: String
    var extensions: [String: IgnoredValue]?

    // Preamble and trace class.
    var version: UInt64?
    var uuid: [UInt8]?
    var environment: [String: EnvironmentProperty]?
    var packetHeader: FieldClassProperty?

    // Field class alias, classes and clock class.
    var name: String?
    var uid: String?
    var namespace: String?
    var fieldClass: FieldClassProperty?

    // Clock class.
    /// An integer of classes, a string of clock classes.
    var id: IdentifierProperty?
    var origin: OriginProperty?
    var frequency: UInt64?
    var precision: UInt64?
    var description: String?
    var offset: OffsetProperty?

    // Data stream class.
    var defaultClock: String?
    var packetContext: FieldClassProperty?
    var eventHeader: FieldClassProperty?
    var commonContext: FieldClassProperty?

    // Event record class.
    var dataStreamClassID: UInt64?
    var specificContext: FieldClassProperty?
    var payload: FieldClassProperty?
    var attributes: AttributesProperty?

    enum CodingKeys: String, CodingKey {
        case type, extensions, version, uuid, environment, name, uid, namespace, id, origin, frequency, precision
        case description, attributes
        case packetHeader = "packet-header-field-class"
        case fieldClass = "field-class"
        case offset = "offset-from-origin"
        case defaultClock = "default-clock-class-id"
        case packetContext = "packet-context-field-class"
        case eventHeader = "event-record-header-field-class"
        case commonContext = "event-record-common-context-field-class"
        case dataStreamClassID = "data-stream-class-id"
        case specificContext = "specific-context-field-class"
        case payload = "payload-field-class"
    }

    /// Any value.
    struct IgnoredValue: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// An integer or a string.
    enum IdentifierProperty: Decodable {
        case number(UInt64)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(UInt64.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    /// A value of the environment.
    enum EnvironmentProperty: Decodable {
        case number(Int64)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .number(try container.decode(IntegerProperty.self).signed)
            }
        }
    }

    /// The origin of a clock: `unix-epoch`, or an object with the identity of another origin.
    struct OriginProperty: Decodable {
        var isUnixEpoch = false

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) { isUnixEpoch = text == "unix-epoch" }
        }
    }

    /// The offset of a clock from its origin.
    struct OffsetProperty: Decodable {
        var seconds: Int64?
        var cycles: UInt64?
    }

    /// The attributes that the reader uses. Others are ignored.
    struct AttributesProperty: Decodable {
        var lttng: LTTng?

        struct LTTng: Decodable {
            var logLevel: String?

            enum CodingKeys: String, CodingKey { case logLevel = "log-level" }
        }

        enum CodingKeys: String, CodingKey { case lttng = "lttng.org,2009" }
    }
}

/// An integer of 64 bits with or without a sign.
struct IntegerProperty: Decodable {
    /// The value in two's complement.
    var bits: UInt64
    var isNegative: Bool

    var signed: Int64 { Int64(bitPattern: bits) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(UInt64.self) {
            (bits, isNegative) = (value, false)
        } else {
            let value = try container.decode(Int64.self)
            (bits, isNegative) = (UInt64(bitPattern: value), value < 0)
        }
    }
}

/// A field class: its properties, or the name of an alias.
enum FieldClassProperty: Decodable {
    case alias(String)
    case properties(FieldClassProperties)

    init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .alias(name)
        } else {
            self = .properties(try FieldClassProperties(from: decoder))
        }
    }
}

/// The properties of a field class. Each type of field class uses some of them.
final class FieldClassProperties: Decodable {
    let type: String
    let length: UInt64?
    let byteOrder: String?
    let bitOrder: String?
    let alignment: UInt64?
    let minimumAlignment: UInt64?
    let displayBase: UInt64?
    let mappings: [String: [[IntegerProperty]]]?
    let flags: [String: [[UInt64]]]?
    let roles: [String]?
    let encoding: String?
    let lengthLocation: Location?
    let selectorLocation: Location?
    let selectorRanges: [[IntegerProperty]]?
    let fieldClass: FieldClassProperty?
    let elementClass: FieldClassProperty?
    let members: [Member]?
    let options: [Option]?

    enum CodingKeys: String, CodingKey {
        case type, length, alignment, mappings, flags, roles, encoding, options
        case byteOrder = "byte-order"
        case bitOrder = "bit-order"
        case minimumAlignment = "minimum-alignment"
        case displayBase = "preferred-display-base"
        case lengthLocation = "length-field-location"
        case selectorLocation = "selector-field-location"
        case selectorRanges = "selector-field-ranges"
        case fieldClass = "field-class"
        case elementClass = "element-field-class"
        case members = "member-classes"
    }

    /// The location of the field that holds a length or a selector.
    struct Location: Decodable {
        var origin: String?
        /// Names of structure members; nil for the parent structure.
        var path: [String?]
    }

    /// A member of a structure.
    struct Member: Decodable {
        var name: String
        var fieldClass: FieldClassProperty

        enum CodingKeys: String, CodingKey { case name, fieldClass = "field-class" }
    }

    /// An option of a variant.
    struct Option: Decodable {
        var name: String?
        var fieldClass: FieldClassProperty
        var ranges: [[IntegerProperty]]

        enum CodingKeys: String, CodingKey {
            case name
            case fieldClass = "field-class"
            case ranges = "selector-field-ranges"
        }
    }
}
