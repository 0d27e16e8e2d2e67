/// Resolves the field classes of CTF 2: replaces aliases and checks properties.
struct FieldClassResolver {
    let source: MetadataSource
    /// Offset of the current fragment in the text.
    var offset = 0
    /// The root structure that is being resolved. It decides about the meaning of some roles.
    var root = FieldCompiler.Root.packetHeader
    /// The default clock class of the data stream class that is being resolved.
    var clock: String?
    private var aliases: [String: FieldClassProperty] = [:]
    /// The resolved aliases. Resolving an alias at each use takes exponential time if aliases use each other.
    private var resolved: [AliasUse: ResolvedType] = [:]
    /// Number of aliases and field classes that enclose the current one.
    private var depth = 0

    /// A use of an alias in a root structure with a default clock. Both decide about roles.
    private struct AliasUse: Hashable {
        var name: String
        var root: FieldCompiler.Root
        var clock: String?
    }

    init(source: MetadataSource) { self.source = source }

    func error(_ code: CTFError.Code, _ problem: String) -> CTFError {
        source.error(code, at: offset, problem)
    }

    /// Declares an alias. Its roles depend on the root structure that uses it.
    mutating func declare(_ name: String, _ type: FieldClassProperty) throws(CTFError) {
        _ = try resolve(type)
        guard aliases.updateValue(type, forKey: name) == nil else {
            throw error(.duplicate, "The alias '\(name)' is declared twice")
        }
    }

    /// Resolves a field class.
    mutating func resolve(_ property: FieldClassProperty) throws(CTFError) -> ResolvedType {
        guard depth < 2 * ResolvedType.depthLimit else {
            throw error(.limitExceeded, "Types are nested more than \(ResolvedType.depthLimit) deep")
        }
        depth += 1
        defer { depth -= 1 }
        switch property {
        case .alias(let name):
            let use = AliasUse(name: name, root: root, clock: clock)
            if let known = resolved[use] { return known }
            guard let type = aliases[name] else {
                throw error(.unknownType, "The field class alias '\(name)' is not declared before this place")
            }
            let result = try resolve(type)
            resolved[use] = result
            return result
        case .properties(let properties): return try resolve(properties)
        }
    }

    private mutating func resolve(_ property: FieldClassProperties) throws(CTFError) -> ResolvedType {
        switch property.type {
        case "fixed-length-bit-array", "fixed-length-boolean", "fixed-length-unsigned-integer",
            "fixed-length-signed-integer", "fixed-length-bit-map", "variable-length-unsigned-integer",
            "variable-length-signed-integer":
            return leaf(try number(property))
        case "fixed-length-floating-point-number": return leaf(.float(try float(property)))
        case "null-terminated-string": return leaf(.string(try encoding(property)))
        case "static-length-string":
            return leaf(.array(element: Self.byte(try encoding(property)), count: try length(property)))
        case "dynamic-length-string":
            return leaf(.sequence(element: Self.byte(try encoding(property)), length: try lengthLocation(property)))
        case "static-length-blob":
            let isUUID = property.roles?.contains("metadata-stream-uuid") == true && root == .packetHeader
            return leaf(.blob(.array(element: Self.byte(.none, isUUID: isUUID), count: try length(property))))
        case "dynamic-length-blob":
            return leaf(.blob(.sequence(element: Self.byte(.none), length: try lengthLocation(property))))
        case "structure": return try structure(property)
        case "static-length-array":
            let element = try element(property)
            return try aligned(.array(element: element.type, count: try length(property)), [element], property)
        case "dynamic-length-array":
            let element = try element(property)
            let length = try lengthLocation(property)
            return try aligned(.sequence(element: element.type, length: length), [element], property)
        case "optional": return try optional(property)
        case "variant": return try variant(property)
        default: throw error(.unknownType, "The field class type '\(property.type)' is not known")
        }
    }

    private func leaf(_ type: CTFFieldType) -> ResolvedType { ResolvedType(type: type, depth: 1, weight: 1) }

    // MARK: Numbers

    /// A byte of a BLOB or of an encoded text.
    private static func byte(_ encoding: CTFStringEncoding, isUUID: Bool = false) -> CTFFieldType {
        var type = CTFIntegerType(
            size: 8, alignment: 8, isSigned: false, isBigEndian: false, base: 16, encoding: encoding, clock: nil)
        if isUUID { type.role = .uuid }
        return .integer(type)
    }

    private func number(_ property: FieldClassProperties) throws(CTFError) -> CTFFieldType {
        let isVariable = property.type.hasPrefix("variable-length")
        let isSigned = property.type.hasSuffix("-signed-integer")
        var type = CTFIntegerType(
            size: 64, alignment: 8, isSigned: isSigned, isBigEndian: false, base: 10, encoding: .none, clock: nil)
        type.isVariableLength = isVariable
        if !isVariable {
            guard let length = property.length, (1...64).contains(length) else {
                throw error(.invalidAttribute, "'length' of '\(property.type)' must be a number from 1 to 64")
            }
            type.size = Int(length)
            type.alignment = try alignment(property.alignment)
            (type.isBigEndian, type.isReversed) = try order(property)
        }
        switch property.type {
        case "fixed-length-bit-array":
            type.base = 16
            return .integer(type)
        case "fixed-length-boolean": return .boolean(type)
        case "fixed-length-bit-map":
            type.base = 16
            return .bitMap(CTFBitMapType(container: type, flags: try flags(property, size: type.size)))
        default: break
        }
        if let base = property.displayBase {
            guard [2, 8, 10, 16].contains(base) else {
                throw error(.invalidAttribute, "'preferred-display-base' must be 2, 8, 10 or 16")
            }
            type.base = Int(base)
        }
        if !isSigned { assignRole(property.roles ?? [], to: &type) }
        guard let mappings = property.mappings, !mappings.isEmpty else { return .integer(type) }
        // JSON objects have no order, so labels of the same value are sorted.
        var ranges: [CTFEnumerationType.Mapping] = []
        for (label, list) in mappings.sorted(by: { $0.key < $1.key }) {
            for choice in try choices(list, option: 0) {
                ranges.append(.init(label: label, lower: choice.lower, upper: choice.upper))
            }
        }
        return .enumeration(CTFEnumerationType(container: type, mappings: ranges))
    }

    private func flags(_ property: FieldClassProperties, size: Int) throws(CTFError) -> [CTFBitMapType.Flag] {
        guard let flags = property.flags, !flags.isEmpty else {
            throw error(.missingAttribute, "The bit map has no 'flags'")
        }
        var result: [CTFBitMapType.Flag] = []
        for (name, ranges) in flags {
            var mask: UInt64 = 0
            for range in ranges {
                guard range.count == 2, range[0] <= range[1], range[1] < 64 else {
                    throw error(.invalidAttribute, "The flag '\(name)' must have ranges of bits from 0 to 63")
                }
                mask |= BitField.mask(Int(range[1] - range[0]) + 1) << range[0]
            }
            result.append(.init(name: name, mask: mask & BitField.mask(size)))
        }
        // JSON objects have no order. babeltrace2 2.1 sorts the names.
        return result.sorted { $0.name < $1.name }
    }

    private func float(_ property: FieldClassProperties) throws(CTFError) -> CTFFloatType {
        let digits: (exponent: Int, mantissa: Int)? =
            switch property.length {
            case 16: (5, 11)
            case 32: (8, 24)
            case 64: (11, 53)
            default: nil
            }
        guard let digits else {
            throw error(
                .invalidAttribute,
                "The floating-point number has \(property.length.map { "\($0)" } ?? "?") bits; "
                    + "16, 32 and 64 are supported")
        }
        var type = CTFFloatType(
            exponentDigits: digits.exponent, mantissaDigits: digits.mantissa,
            alignment: try alignment(property.alignment), isBigEndian: false)
        (type.isBigEndian, type.isReversed) = try order(property)
        return type
    }

    func alignment(_ value: UInt64?) throws(CTFError) -> Int {
        try NumberAttributes.checkedAlignment(Int128(value ?? 1), source, at: offset)
    }

    /// The byte order, and whether the bit order differs from the natural one of the byte order.
    private func order(_ property: FieldClassProperties) throws(CTFError) -> (isBigEndian: Bool, isReversed: Bool) {
        let isBigEndian: Bool
        switch property.byteOrder {
        case "big-endian": isBigEndian = true
        case "little-endian": isBigEndian = false
        default: throw error(.invalidAttribute, "'byte-order' must be 'big-endian' or 'little-endian'")
        }
        switch property.bitOrder {
        case nil: return (isBigEndian, false)
        case "first-to-last": return (isBigEndian, isBigEndian)
        case "last-to-first": return (isBigEndian, !isBigEndian)
        default: throw error(.invalidAttribute, "'bit-order' must be 'first-to-last' or 'last-to-first'")
        }
    }

    /// Sets the role of an integer, and the clock of time stamps. Roles have a meaning in one root structure only.
    private func assignRole(_ roles: [String], to type: inout CTFIntegerType) {
        for role in roles {
            switch (root, role) {
            case (.packetHeader, "packet-magic-number"): type.role = .magic
            case (.packetHeader, "data-stream-class-id"): type.role = .streamID
            case (.packetHeader, "data-stream-id"): type.role = .streamInstanceID
            case (.packetContext, "packet-total-length"): type.role = .packetSize
            case (.packetContext, "packet-content-length"): type.role = .contentSize
            case (.packetContext, "packet-sequence-number"): type.role = .sequenceNumber
            case (.packetContext, "discarded-event-record-counter-snapshot"): type.role = .discarded
            case (.packetContext, "default-clock-timestamp"): (type.role, type.clock) = (.timestampBegin, clock)
            case (.packetContext, "packet-end-default-clock-timestamp"):
                (type.role, type.clock) = (.timestampEnd, clock)
            case (.eventHeader, "event-record-class-id"): type.role = .eventID
            case (.eventHeader, "default-clock-timestamp"): (type.role, type.clock) = (.time, clock)
            default: break
            }
        }
    }

    // MARK: Texts and lengths

    private func encoding(_ property: FieldClassProperties) throws(CTFError) -> CTFStringEncoding {
        switch property.encoding {
        case nil, "utf-8": .utf8
        case "utf-16be": .utf16(isBigEndian: true)
        case "utf-16le": .utf16(isBigEndian: false)
        case "utf-32be": .utf32(isBigEndian: true)
        case "utf-32le": .utf32(isBigEndian: false)
        default: throw error(.invalidAttribute, "'encoding' must be utf-8, utf-16be, utf-16le, utf-32be or utf-32le")
        }
    }

    private func length(_ property: FieldClassProperties) throws(CTFError) -> UInt64 {
        guard let length = property.length, length <= UInt64(UInt32.max) else {
            throw error(.invalidAttribute, "'length' of '\(property.type)' must be a number from 0 to \(UInt32.max)")
        }
        return length
    }

    private func lengthLocation(_ property: FieldClassProperties) throws(CTFError) -> CTFFieldReference {
        guard let location = property.lengthLocation else {
            throw error(.missingAttribute, "'\(property.type)' has no 'length-field-location'")
        }
        return try reference(location)
    }

    func selectorLocation(_ property: FieldClassProperties) throws(CTFError) -> CTFFieldReference {
        guard let location = property.selectorLocation else {
            throw error(.missingAttribute, "'\(property.type)' has no 'selector-field-location'")
        }
        return try reference(location)
    }

    private func reference(_ location: FieldClassProperties.Location) throws(CTFError) -> CTFFieldReference {
        // A null after a name cancels the name.
        var (levels, names): (Int, [String]) = (0, [])
        for element in location.path {
            if let element { names.append(element) } else if names.popLast() == nil { levels += 1 }
        }
        guard !names.isEmpty, location.path.last != .some(nil) else {
            throw error(.invalidAttribute, "The 'path' of a field location must end with a name")
        }
        guard let origin = location.origin else {
            return CTFFieldReference(path: names, offset: offset, start: .enclosing(levels))
        }
        let root: FieldCompiler.Root? =
            switch origin {
            case "packet-header": .packetHeader
            case "packet-context": .packetContext
            case "event-record-header": .eventHeader
            case "event-record-common-context": .streamEventContext
            case "event-record-specific-context": .eventContext
            case "event-record-payload": .payload
            default: nil
            }
        guard let root, levels == 0 else {
            throw error(.invalidAttribute, "The field location has the unknown origin '\(origin)', or names a parent")
        }
        return CTFFieldReference(path: names, offset: offset, start: .root(root))
    }

    /// Checks ranges of integers, and adds the index of the option that they select.
    func choices(_ ranges: [[IntegerProperty]], option: Int) throws(CTFError) -> [FieldNode.Choice] {
        var result: [FieldNode.Choice] = []
        for range in ranges {
            guard range.count == 2, isOrdered(range[0], range[1]) else {
                throw error(.invalidAttribute, "A range must have two numbers, the lower one first")
            }
            result.append(.init(lower: range[0].bits, upper: range[1].bits, option: option))
        }
        guard !result.isEmpty else { throw error(.missingAttribute, "There must be at least one range") }
        return result
    }

    private func isOrdered(_ lower: IntegerProperty, _ upper: IntegerProperty) -> Bool {
        lower.isNegative == upper.isNegative ? lower.bits <= upper.bits : lower.isNegative
    }

}
