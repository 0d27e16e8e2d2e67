/// The sizes that determine how a unit of debug information is encoded.
struct DebugEncoding: Hashable {
    let version: UInt16
    let addressSize: Int
    /// 4, or 8 for the 64-bit format.
    let offsetSize: Int
}

/// The value of an attribute, without a lookup in another section.
enum DebugValue {
    case address(UInt64)
    /// An index into `.debug_addr`.
    case addressIndex(UInt64)
    case constant(UInt64)
    /// An offset in another section, which the attribute determines.
    case offset(UInt64)
    /// An index into the offsets of `.debug_rnglists`.
    case listIndex(UInt64)
    /// The offset of another entry in `.debug_info`.
    case reference(UInt64)
    /// The offset of another entry from the begin of the unit.
    case unitReference(UInt64)
    case text(DebugText)
    /// A value of a kind that is not needed, such as a block.
    case other
}

/// The place of a text.
enum DebugText {
    /// An offset in the section that has the attribute.
    case here(Int)
    /// An offset in `.debug_str`.
    case text(UInt64)
    /// An offset in `.debug_line_str`.
    case lineText(UInt64)
    /// An index into the string offsets of the unit.
    case index(UInt64)
}

/// The encoding of an attribute's value: `DW_FORM_…` of the DWARF standard, version 5, section 7.5.6.
enum DebugForm {
    static let implicitConstant: UInt16 = 0x21
    private static let indirect: UInt16 = 0x16

    /// The number of bytes of a value; nil when it varies.
    static func size(_ form: UInt16, _ encoding: DebugEncoding) -> Int? {
        switch form {
        case 0x19, 0x21: 0
        case 0x0B, 0x0C, 0x11, 0x25, 0x29: 1
        case 0x05, 0x12, 0x26, 0x2A: 2
        case 0x27, 0x2B: 3
        case 0x06, 0x13, 0x1C, 0x28, 0x2C: 4
        case 0x07, 0x14, 0x20, 0x24: 8
        case 0x1E: 16
        case 0x01: encoding.addressSize
        case 0x10: encoding.version <= 2 ? encoding.addressSize : encoding.offsetSize
        case 0x0E, 0x17, 0x1D, 0x1F, 0x1F20, 0x1F21: encoding.offsetSize
        default: nil
        }
    }

    /// Skips a value. An unknown form fails, because its size is unknown.
    static func skip(_ form: UInt16, _ encoding: DebugEncoding, at cursor: inout DebugCursor) {
        if let size = size(form, encoding) { return cursor.skip(UInt64(size)) }
        switch form {
        case 0x08: cursor.skipText()
        case 0x0D, 0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23, 0x1F01, 0x1F02: cursor.skipLEB()
        case 0x0A: cursor.skip(cursor.unsigned(size: 1))
        case 0x03: cursor.skip(cursor.unsigned(size: 2))
        case 0x04: cursor.skip(cursor.unsigned(size: 4))
        case 0x09, 0x18: cursor.skip(cursor.uleb())
        case indirect:
            let form = UInt16(truncatingIfNeeded: cursor.uleb())
            if form == indirect { cursor.fail() } else { skip(form, encoding, at: &cursor) }
        default: cursor.fail()
        }
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - constant: the value of the form `DW_FORM_implicit_const`, which is part of the abbreviation.
    ///   - encoding: the encoding of the unit.
    ///   - cursor: the position of the value. It is moved behind the value.
    static func value(
        _ form: UInt16, constant: Int64, _ encoding: DebugEncoding, at cursor: inout DebugCursor
    ) -> DebugValue {
        switch form {
        case 0x01: return .address(cursor.unsigned(size: encoding.addressSize))
        case 0x0B, 0x0C, 0x05, 0x06, 0x07:
            return .constant(cursor.unsigned(size: size(form, encoding) ?? 1))
        case 0x0D: return .constant(UInt64(bitPattern: cursor.sleb()))
        case 0x0F: return .constant(cursor.uleb())
        case 0x19: return .constant(1)
        case implicitConstant: return .constant(UInt64(bitPattern: constant))
        case 0x08:
            let begin = cursor.position
            cursor.skipText()
            return .text(.here(begin))
        case 0x0E: return .text(.text(cursor.unsigned(size: encoding.offsetSize)))
        case 0x1F: return .text(.lineText(cursor.unsigned(size: encoding.offsetSize)))
        case 0x1A, 0x1F02: return .text(.index(cursor.uleb()))
        case 0x25...0x28: return .text(.index(cursor.unsigned(size: Int(form) - 0x24)))
        case 0x1B, 0x1F01: return .addressIndex(cursor.uleb())
        case 0x29...0x2C: return .addressIndex(cursor.unsigned(size: Int(form) - 0x28))
        case 0x17: return .offset(cursor.unsigned(size: encoding.offsetSize))
        case 0x23: return .listIndex(cursor.uleb())
        case 0x11...0x14: return .unitReference(cursor.unsigned(size: 1 << (Int(form) - 0x11)))
        case 0x15: return .unitReference(cursor.uleb())
        case 0x10: return .reference(cursor.unsigned(size: size(form, encoding) ?? encoding.offsetSize))
        case indirect:
            let form = UInt16(truncatingIfNeeded: cursor.uleb())
            guard form != indirect else {
                cursor.fail()
                return .other
            }
            return value(form, constant: 0, encoding, at: &cursor)
        default:
            skip(form, encoding, at: &cursor)
            return .other
        }
    }
}

extension DebugValue {
    /// A number that is not an address, such as a line or a file.
    var number: UInt64? {
        switch self {
        case .constant(let value), .offset(let value): value
        default: nil
        }
    }
}
