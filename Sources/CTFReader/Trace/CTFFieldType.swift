/// The type of a field, as the metadata declares it.
public indirect enum CTFFieldType: Hashable, Sendable {
    /// A whole number.
    case integer(CTFIntegerType)
    /// A whole number whose values have names.
    case enumeration(CTFEnumerationType)
    /// A floating point number.
    case float(CTFFloatType)
    /// A text that ends with a zero byte.
    case string(CTFStringEncoding)
    /// Fields one after the other.
    case structure(CTFStructureType)
    /// A fixed number of elements.
    case array(element: CTFFieldType, count: UInt64)
    /// As many elements as an earlier field says.
    case sequence(element: CTFFieldType, length: CTFFieldReference)
    /// One of several types; an earlier field says which.
    case variant(CTFVariantType)
}

/// The encoding of a text.
public enum CTFStringEncoding: Hashable, Sendable {
    /// Numbers rather than text.
    case none
    /// UTF-8.
    case utf8
    /// ASCII.
    case ascii
}

/// How a whole number is stored.
public struct CTFIntegerType: Hashable, Sendable {
    /// Number of bits, 1 to 64.
    public var size: Int
    /// The bit position in the packet is a multiple of this.
    public var alignment: Int
    /// Whether the highest bit is the sign.
    public var isSigned: Bool
    /// Whether the most significant byte comes first.
    public var isBigEndian: Bool
    /// The base in which the number is shown: 2, 8, 10 or 16.
    public var base: Int
    /// In an array, whether the numbers are the bytes of a text.
    public var encoding: CTFStringEncoding
    /// The clock whose value this is.
    public var clock: String?
}

/// A whole number whose values have names.
public struct CTFEnumerationType: Hashable, Sendable {
    /// How the number is stored.
    public var container: CTFIntegerType
    /// The named ranges, in the order of their declaration.
    public var mappings: [Mapping]

    /// A name for the values in a range.
    public struct Mapping: Hashable, Sendable {
        /// The name.
        public var label: String
        /// The lowest value, as the bits of a signed or unsigned number, like the container.
        public var lower: UInt64
        /// The highest value.
        public var upper: UInt64
    }

    /// Whether a mapping holds a value.
    ///
    /// - Parameters:
    ///   - mapping: one of this type's mappings.
    ///   - bits: the value, sign-extended to 64 bits when the container is signed.
    /// - Returns: whether it does.
    func contains(_ mapping: Mapping, _ bits: UInt64) -> Bool {
        BitField.isNumber(bits, from: mapping.lower, to: mapping.upper, isSigned: container.isSigned)
    }

    /// Finds the names of a value.
    ///
    /// - Parameter bits: the value, sign-extended to 64 bits when the container is signed.
    /// - Returns: the names in the order of their declaration; none for a value without a name.
    public func labels(of bits: UInt64) -> [String] {
        mappings.filter { contains($0, bits) }.map(\.label)
    }
}

/// How a floating point number is stored.
public struct CTFFloatType: Hashable, Sendable {
    /// Bits of the exponent: 8 or 11.
    public var exponentDigits: Int
    /// Bits of the mantissa, the sign among them: 24 or 53.
    public var mantissaDigits: Int
    /// The bit position in the packet is a multiple of this.
    public var alignment: Int
    /// Whether the most significant byte comes first.
    public var isBigEndian: Bool

    /// Number of bits: 32 or 64.
    public var size: Int { exponentDigits + mantissaDigits }
}

/// Fields one after the other.
public struct CTFStructureType: Hashable, Sendable {
    /// The fields in the order in which they are stored.
    public var fields: [CTFField]
    /// The alignment that the declaration asks for at least, in bits.
    public var minimumAlignment: Int
}

/// One of several types; an earlier field says which.
public struct CTFVariantType: Hashable, Sendable {
    /// The field that says which, nil while the type is declared without it.
    public var tag: CTFFieldReference?
    /// The types; each has the name of one of the tag's labels.
    public var options: [CTFField]
}

/// How a length or a tag names the field that holds its value, such as `stream.event.header.id`.
public struct CTFFieldReference: Hashable, Sendable {
    /// The names, without the dots.
    public var path: [String]
    /// Offset of the place in the metadata's text, in bytes.
    var offset: Int
}

extension CTFFieldType {
    /// The fields of a structure, nothing for other types.
    var fields: [CTFField] {
        guard case .structure(let type) = self else { return [] }
        return type.fields
    }
}
