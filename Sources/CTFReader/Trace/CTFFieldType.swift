/// The type of a field.
public indirect enum CTFFieldType: Hashable, Sendable {
    /// An integer.
    case integer(CTFIntegerType)
    /// An integer whose values have names.
    case enumeration(CTFEnumerationType)
    /// A floating-point number.
    case float(CTFFloatType)
    /// A null-terminated string.
    case string(CTFStringEncoding)
    /// A structure.
    case structure(CTFStructureType)
    /// An array of fixed length.
    case array(element: CTFFieldType, count: UInt64)
    /// An array whose length is the value of an earlier field.
    case sequence(element: CTFFieldType, length: CTFFieldReference)
    /// One of several types, selected by an earlier field.
    case variant(CTFVariantType)
    /// A number that is true or false. CTF 2 only.
    case boolean(CTFIntegerType)
    /// A number whose bits have names. CTF 2 only.
    case bitMap(CTFBitMapType)
    /// A field that an earlier field includes or omits. CTF 2 only.
    case optional(CTFOptionalType)
    /// A type with a minimum alignment in bits. CTF 2 only.
    case aligned(CTFFieldType, minimum: Int)
    /// An array or sequence of bytes without a structure. CTF 2 only.
    case blob(CTFFieldType)
}

/// The encoding of a text.
public enum CTFStringEncoding: Hashable, Sendable {
    /// No text: the values are numbers.
    case none
    /// UTF-8.
    case utf8
    /// ASCII.
    case ascii
    /// UTF-16. CTF 2 only.
    case utf16(isBigEndian: Bool)
    /// UTF-32. CTF 2 only.
    case utf32(isBigEndian: Bool)

    /// Bytes of a code unit.
    var unitSize: Int {
        switch self {
        case .none, .utf8, .ascii: 1
        case .utf16: 2
        case .utf32: 4
        }
    }
}

/// The storage of an integer.
public struct CTFIntegerType: Hashable, Sendable {
    /// Number of bits, 1 to 64.
    public var size: Int
    /// The alignment in bits.
    public var alignment: Int
    /// Whether the number is signed.
    public var isSigned: Bool
    /// Whether the byte order is big-endian.
    public var isBigEndian: Bool
    /// The base for display: 2, 8, 10 or 16.
    public var base: Int
    /// In an array, the encoding of the text whose bytes the numbers are.
    public var encoding: CTFStringEncoding
    /// The clock that the number is a value of.
    public var clock: String?
    /// Whether the number is stored in LEB128, in one byte for each seven bits; ``size`` is 64 then. CTF 2 only.
    public var isVariableLength = false
    /// Whether the bits are stored in the reverse of the order that belongs to the byte order. CTF 2 only.
    public var isReversed = false
    /// The meaning that the metadata assigns to the field. CTF 2 only.
    var role = FieldNode.Role.none
}

/// A number whose bits have names.
public struct CTFBitMapType: Hashable, Sendable {
    /// The storage of the number.
    public var container: CTFIntegerType
    /// The named flags.
    public var flags: [Flag]

    /// A name for one or more bits.
    public struct Flag: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The bits. The flag is active when any of them is set.
        public var mask: UInt64
    }

    /// Finds the active flags of a value.
    ///
    /// - Parameter bits: the value.
    /// - Returns: the names of the flags in the order of ``flags``.
    public func labels(of bits: UInt64) -> [String] { flags.filter { bits & $0.mask != 0 }.map(\.name) }
}

/// A field that an earlier field includes or omits.
public struct CTFOptionalType: Hashable, Sendable {
    /// The type of the field when it is present.
    public var content: CTFFieldType
    /// The field that includes or omits it.
    public var selector: CTFFieldReference
    /// The values of the selector for which the field is present.
    var choices: [FieldNode.Choice]
}

/// An integer whose values have names.
public struct CTFEnumerationType: Hashable, Sendable {
    /// The storage of the number.
    public var container: CTFIntegerType
    /// The named ranges in the order of their declaration.
    public var mappings: [Mapping]

    /// A named range of values.
    public struct Mapping: Hashable, Sendable {
        /// The name.
        public var label: String
        /// The lowest value, sign-extended to 64 bits when the container is signed.
        public var lower: UInt64
        /// The highest value.
        public var upper: UInt64
    }

    /// Whether a range contains a value.
    ///
    /// - Parameters:
    ///   - mapping: one of this type's mappings.
    ///   - bits: the value, sign-extended to 64 bits when the container is signed.
    /// - Returns: whether the range contains the value.
    func contains(_ mapping: Mapping, _ bits: UInt64) -> Bool {
        BitField.isNumber(bits, from: mapping.lower, to: mapping.upper, isSigned: container.isSigned)
    }

    /// Finds the labels of a value.
    ///
    /// - Parameter bits: the value, sign-extended to 64 bits when the container is signed.
    /// - Returns: the labels in the order of their declaration; empty when the value has no label.
    public func labels(of bits: UInt64) -> [String] {
        mappings.filter { contains($0, bits) }.map(\.label)
    }
}

/// The storage of a floating-point number.
public struct CTFFloatType: Hashable, Sendable {
    /// Bits of the exponent: 5, 8 or 11.
    public var exponentDigits: Int
    /// Bits of the mantissa including the sign: 11, 24 or 53.
    public var mantissaDigits: Int
    /// The alignment in bits.
    public var alignment: Int
    /// Whether the byte order is big-endian.
    public var isBigEndian: Bool
    /// Whether the bits are stored in the reverse of the order that belongs to the byte order. CTF 2 only.
    public var isReversed = false

    /// Number of bits: 16, 32 or 64.
    public var size: Int { exponentDigits + mantissaDigits }
}

/// A structure type.
public struct CTFStructureType: Hashable, Sendable {
    /// The fields in the order of their storage.
    public var fields: [CTFField]
    /// The minimum alignment of the declaration, in bits.
    public var minimumAlignment: Int
}

/// One of several types, selected by an earlier field.
public struct CTFVariantType: Hashable, Sendable {
    /// The field that selects the type; nil while the type is declared without a tag.
    public var tag: CTFFieldReference?
    /// The options. In CTF 1.8, each has the name of one of the tag's labels.
    public var options: [CTFField]
    /// The values of the tag for each option; nil to find the options by the tag's labels. CTF 2 only.
    var choices: [FieldNode.Choice]?
}

/// A reference of a length or a tag to the field with its value, such as `stream.event.header.id`.
public struct CTFFieldReference: Hashable, Sendable {
    /// The components of the path.
    public var path: [String]
    /// Offset of the reference in the metadata text, in bytes.
    var offset: Int
    /// The structure that the path starts from.
    var start = Start.search

    /// The structure that a path starts from.
    enum Start: Hashable, Sendable {
        /// Any root or enclosing structure that has the first name. CTF 1.8.
        case search
        /// A root structure. CTF 2.
        case root(FieldCompiler.Root)
        /// The structure this many levels above the enclosing one. CTF 2.
        case enclosing(Int)
    }
}

extension CTFFieldType {
    /// The fields of a structure; empty for other types.
    var fields: [CTFField] {
        guard case .structure(let type) = self else { return [] }
        return type.fields
    }
}
