/// Decodes the fields of a packet one after the other. It supports all types.
struct FieldWalker {
    /// The reason why a field cannot be decoded.
    enum Problem: Error {
        /// The content of the packet ends inside the field.
        case endOfContent
        /// A variant's tag has a value that selects no option.
        case noOption(UInt64)
        /// An array has more elements than the limit.
        case tooManyElements(UInt64)
        /// An integer in LEB128 has more than 64 bits.
        case numberTooLarge
    }

    /// Maximum number of elements without a size. Such elements use no bytes, so the content does not limit their
    /// number.
    private static let emptyElementLimit = 65536

    let base: UnsafeRawPointer
    /// End of the readable bits, from `base`.
    let end: Int
    /// Current position in bits from `base`.
    var position: Int
    /// Values for lengths and tags.
    let stores: UnsafeMutablePointer<UInt64>
    /// Values of fields with a role.
    var values = RoleValues()
    /// Remaining number of elements without a fixed size.
    private var elementBudget: Int

    init(base: UnsafeRawPointer, end: Int, position: Int, stores: UnsafeMutablePointer<UInt64>) {
        self.base = base
        self.end = end
        self.position = position
        self.stores = stores
        elementBudget = max(end - position, 0) + Self.emptyElementLimit
    }

    @inline(__always)
    private mutating func take(_ bits: Int) throws(Problem) -> Int {
        let start = position
        guard bits <= end - start else { throw .endOfContent }
        position = start + bits
        return start
    }

    /// Reads an integer, sign-extended when it is signed.
    mutating func number(_ node: FieldNode) throws(Problem) -> UInt64 {
        position = BitField.align(position, node.alignment)
        if node.isVariableLength { return try variableLengthNumber(node) }
        if node.isReversed { return try reversedNumber(node) }
        return number(node.place, at: try take(node.size))
    }

    private mutating func reversedNumber(_ node: FieldNode) throws(Problem) -> UInt64 {
        let start = try take(node.size)
        let bits = BitField.unsigned(base, start, size: node.size, isBigEndian: node.isBigEndian)
        var value = BitField.reversed(bits, size: node.size)
        if node.isSigned { value = BitField.signed(value, size: node.size) }
        if node.store >= 0 { stores[node.store] = value }
        if node.role != .none { values.set(node.role, value, size: node.size) }
        return value
    }

    /// Reads an integer in LEB128: seven bits per byte, least significant first. The highest bit of each byte except
    /// the last one is set.
    private mutating func variableLengthNumber(_ node: FieldNode) throws(Problem) -> UInt64 {
        var value: UInt64 = 0
        var size = 0
        while true {
            let byte = base.load(fromByteOffset: try take(8) >> 3, as: UInt8.self)
            let bits = UInt64(byte & 0x7F)
            if size < 63 {
                value |= bits << UInt64(size)
            } else {
                // The tenth byte holds bit 63. Its other bits extend the value: zeros, or ones of a negative value.
                guard size == 63, bits <= 1 || node.isSigned && bits == 0x7F else { throw .numberTooLarge }
                value |= bits << 63
            }
            size += 7
            if byte & 0x80 == 0 {
                if node.isSigned, size < 64 { value = BitField.signed(value, size: size) }
                break
            }
        }
        if node.store >= 0 { stores[node.store] = value }
        if node.role != .none { values.set(node.role, value, size: size) }
        return value
    }

    /// Reads an integer. The caller has checked that its bits are readable.
    @inline(__always) @discardableResult
    private mutating func number(_ place: FieldNode.Place, at start: Int) -> UInt64 {
        var value = BitField.unsigned(base, start, size: place.size, isBigEndian: place.isBigEndian)
        if place.isSigned { value = BitField.signed(value, size: place.size) }
        if place.store >= 0 { stores[place.store] = value }
        if place.role != .none { values.set(place.role, value, size: place.size) }
        return value
    }

    /// Reads a string without its null terminator.
    mutating func text() throws(Problem) -> UnsafeRawBufferPointer {
        position = BitField.align(position, 8)
        let start = position >> 3
        let limit = end >> 3
        var next = start
        while next < limit, base.load(fromByteOffset: next, as: UInt8.self) != 0 { next += 1 }
        guard next < limit else { throw .endOfContent }
        position = (next + 1) << 3
        return UnsafeRawBufferPointer(start: base + start, count: next - start)
    }

    /// Reads a string of any encoding as UTF-8.
    mutating func string(_ node: FieldNode) throws(Problem) -> String {
        let unit = node.encoding.unitSize
        if unit == 1 { return String(decoding: try text(), as: UTF8.self) }
        position = BitField.align(position, 8)
        let start = position >> 3
        let limit = end >> 3
        var next = start
        while next + unit <= limit {
            let bytes = UnsafeRawBufferPointer(start: base + next, count: unit)
            if bytes.allSatisfy({ $0 == 0 }) {
                position = (next + unit) << 3
                return node.encoding.decode(UnsafeRawBufferPointer(start: base + start, count: next - start))
            }
            next += unit
        }
        throw .endOfContent
    }

    private mutating func checked(_ count: UInt64, of element: FieldNode) throws(Problem) -> Int {
        if let size = element.fixedSize, size > 0 {
            guard let count = Int(exactly: count), count <= max(end - position, 0) / size else { throw .endOfContent }
            return count
        }
        guard count <= UInt64(elementBudget) else { throw .tooManyElements(count) }
        elementBudget -= Int(count)
        return Int(count)
    }

    private func chosen(_ choices: [FieldNode.Choice], _ store: Int, isSigned: Bool) throws(Problem) -> Int {
        let tag = stores[store]
        let choice = choices.first {
            BitField.isNumber(tag, from: $0.lower, to: $0.upper, isSigned: isSigned)
        }
        guard let choice else { throw .noOption(tag) }
        return choice.option
    }

    /// Skips a field, and keeps the values of fields that have a store or a role.
    mutating func skip(_ node: FieldNode) throws(Problem) {
        if let size = node.fixedSize, let places = node.places {
            let start = BitField.align(position, node.alignment)
            if size <= end - start {
                for place in places {
                    if place.role == .uuid {
                        values.uuid = start + place.offset
                    } else {
                        number(place, at: start + place.offset)
                    }
                }
                position = start + size
                return
            }
            // The field is cut off. Visit its parts to keep the values that are there.
            if places.isEmpty { throw .endOfContent }
        }
        switch node.kind {
        case .integer: _ = try number(node)
        case .float:
            position = BitField.align(position, node.alignment)
            _ = try take(node.size)
        case .string where node.encoding.unitSize == 1: _ = try text()
        case .string: _ = try string(node)
        case .structure(let fields):
            position = BitField.align(position, node.alignment)
            for field in fields { try skip(field) }
        case .array(let element, _), .sequence(let element, _):
            let count = try beginElements(of: node)
            if node.role == .uuid { values.uuid = position }
            try skip(element, count)
        case .variant: try skip(try option(of: node))
        case .optional(let content, _, _, _): if isPresent(node) { try skip(content) }
        }
    }

    private mutating func skip(_ element: FieldNode, _ count: Int) throws(Problem) {
        if element.canBePassed, let size = element.fixedSize {
            guard count > 0 else { return }
            let stride = BitField.align(size, element.alignment)
            _ = try take(stride * (count - 1) + size)
            return
        }
        for _ in 0..<count { try skip(element) }
    }

    /// Decodes a field of any type.
    mutating func read(_ node: FieldNode) throws(Problem) -> CTFValue {
        switch node.kind {
        case .integer:
            let bits = try number(node)
            if node.isBoolean { return .boolean(bits != 0) }
            if let bitMap = node.bitMap {
                return .enumeration(bits: bits, isSigned: false, labels: bitMap.labels(of: bits))
            }
            if let enumeration = node.enumeration {
                return .enumeration(bits: bits, isSigned: node.isSigned, labels: enumeration.labels(of: bits))
            }
            return node.isSigned ? .signed(Int64(bitPattern: bits), base: node.base) : .unsigned(bits, base: node.base)
        case .float:
            position = BitField.align(position, node.alignment)
            let start = try take(node.size)
            var bits = BitField.unsigned(base, start, size: node.size, isBigEndian: node.isBigEndian)
            if node.isReversed { bits = BitField.reversed(bits, size: node.size) }
            if node.size == 16 {
                return .float(Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits))), isSingle: true)
            }
            return node.size == 32
                ? .float(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))), isSingle: true)
                : .float(Double(bitPattern: bits), isSingle: false)
        case .string: return .string(try string(node))
        case .structure(let fields):
            position = BitField.align(position, node.alignment)
            var values: [(name: String, value: CTFValue)] = []
            for field in fields { values.append((field.name, try read(field))) }
            return .structure(values)
        case .array(let element, _), .sequence(let element, _):
            return try elements(node, element)
        case .variant:
            let option = try option(of: node)
            return .variant(name: option.name, try read(option))
        case .optional(let content, _, _, _): return isPresent(node) ? try read(content) : .absent
        }
    }

    /// Decodes one field of a structure at the current position.
    mutating func read(_ structure: FieldNode, field index: Int) throws(Problem) -> CTFValue {
        position = BitField.align(position, structure.alignment)
        for field in structure.fields.prefix(index) { try skip(field) }
        return try read(structure.fields[index])
    }

    private mutating func elements(_ node: FieldNode, _ element: FieldNode) throws(Problem) -> CTFValue {
        let count = try beginElements(of: node)
        if node.isText {
            return .string(node.encoding.decode(try bytes(count)))
        }
        var values: [CTFValue] = []
        for _ in 0..<count { values.append(try read(element)) }
        return .array(values)
    }

    // MARK: Parts

    /// Moves to the first element of an array or sequence.
    ///
    /// - Returns: the number of elements.
    mutating func beginElements(of node: FieldNode) throws(Problem) -> Int {
        position = BitField.align(position, node.alignment)
        switch node.kind {
        case .array(let element, let count): return try checked(UInt64(count), of: element)
        case .sequence(let element, let store): return try checked(stores[store], of: element)
        default: return 0
        }
    }

    /// Takes bytes at the current position, which must be a byte boundary.
    mutating func bytes(_ count: Int) throws(Problem) -> UnsafeRawBufferPointer {
        let start = try take(count * 8)
        return UnsafeRawBufferPointer(start: base + (start >> 3), count: count)
    }

    /// Whether the selector of an optional field includes it.
    func isPresent(_ node: FieldNode) -> Bool {
        guard case .optional(_, let choices, let store, let isSigned) = node.kind else { return true }
        return choices.contains { BitField.isNumber(stores[store], from: $0.lower, to: $0.upper, isSigned: isSigned) }
    }

    /// The option that the tag of a variant selects.
    func option(of node: FieldNode) throws(Problem) -> FieldNode {
        guard case .variant(let options, let choices, let store, let isSigned) = node.kind else { return node }
        return options[try chosen(choices, store, isSigned: isSigned)]
    }
}

extension CTFStringEncoding {
    /// Decodes a text up to its first null code unit. Invalid code units are repaired.
    func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        func units<Unit: FixedWidthInteger>(_ type: Unit.Type, isBigEndian: Bool) -> some Collection<Unit> {
            let size = MemoryLayout<Unit>.size
            return (0..<bytes.count / size).lazy
                .map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: Unit.self) }
                .map { isBigEndian ? Unit(bigEndian: $0) : Unit(littleEndian: $0) }
                .prefix { $0 != 0 }
        }
        return switch self {
        case .none, .utf8, .ascii: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        case .utf16(let isBigEndian): String(decoding: units(UInt16.self, isBigEndian: isBigEndian), as: UTF16.self)
        case .utf32(let isBigEndian): String(decoding: units(UInt32.self, isBigEndian: isBigEndian), as: UTF32.self)
        }
    }
}
