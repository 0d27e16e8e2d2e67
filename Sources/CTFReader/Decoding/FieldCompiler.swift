/// Compiles field types to field nodes, and resolves references of lengths and tags.
struct FieldCompiler {
    /// The root structures that a field reference can start from, outermost first.
    enum Root: String, CaseIterable, Sendable {
        case packetHeader = "trace.packet.header"
        case packetContext = "stream.packet.context"
        case eventHeader = "stream.event.header"
        case streamEventContext = "stream.event.context"
        case eventContext = "event.context"
        case payload = "event.fields"
    }

    /// Fields larger than this do not fit into any packet. The limit keeps sums of sizes far from overflow.
    private static let sizeLimit = 1 << 48
    /// Maximum number of nodes of a trace: ten times the metadata of a whole kernel, in less than 64 MiB.
    private static let nodeLimit = 150_000

    let source: MetadataSource
    let clocks: Set<String>
    private(set) var storeCount = 0
    /// The clocks that fields were mapped to since the last call of ``forgetClocks()``.
    private(set) var usedClocks: Set<String> = []
    private var roots: [Root: FieldNode] = [:]
    private var nodeCount = 0
    private var current = Root.packetHeader
    /// The fields compiled so far of each structure that encloses the current type.
    private var enclosing: [[FieldNode]] = []
    /// Other roots that the current root refers to.
    private var outerRoots: Set<Root> = []

    init(source: MetadataSource, clocks: Set<String>) {
        self.source = source
        self.clocks = clocks
    }

    /// Starts a stream class. The fields of a stream class share one clock.
    mutating func forgetClocks() { usedClocks = [] }

    /// Compiles a root structure.
    ///
    /// - Returns: the structure and the other roots that it refers to; nil without a type.
    mutating func compile(
        _ type: CTFFieldType?, as root: Root, offset: Int
    ) throws(CTFError) -> (node: FieldNode, outerRoots: Set<Root>)? {
        // Roots of an earlier stream or event class are out of scope.
        for inner in Root.allCases.drop(while: { $0 != root }) { roots[inner] = nil }
        guard let type else { return nil }
        current = root
        enclosing = []
        outerRoots = []
        let node = try compile(type, ("", ""), offset: offset)
        roots[root] = node
        return (node, outerRoots)
    }

    private mutating func compile(
        _ type: CTFFieldType, _ name: (name: String, declaredName: String), offset: Int
    ) throws(CTFError) -> FieldNode {
        nodeCount += 1
        guard nodeCount <= Self.nodeLimit else {
            throw source.error(.limitExceeded, at: offset, "The metadata describes more than \(Self.nodeLimit) fields")
        }
        switch type {
        case .integer(let integer): return try self.integer(integer, nil, name, offset: offset)
        case .enumeration(let enumeration):
            return try integer(enumeration.container, enumeration, name, offset: offset)
        case .float(let float):
            let node = FieldNode(name, .float, alignment: float.alignment, fixedSize: float.size)
            node.size = float.size
            node.isBigEndian = float.isBigEndian
            node.isReversed = float.isReversed
            return node
        case .string(let encoding):
            let node = FieldNode(name, .string, alignment: 8, fixedSize: nil)
            node.encoding = encoding
            return node
        case .boolean(let type):
            let node = try self.integer(type, nil, name, offset: offset)
            node.isBoolean = true
            return node
        case .bitMap(let type):
            let node = try self.integer(type.container, nil, name, offset: offset)
            node.bitMap = type
            return node
        case .aligned(let type, let minimum):
            let node = try compile(type, name, offset: offset)
            node.align(to: minimum)
            return node
        case .blob(let type):
            let node = try compile(type, name, offset: offset)
            node.isBlob = true
            return node
        case .optional(let type): return try optional(type, name, offset: offset)
        case .structure(let structure): return try self.structure(structure, name, offset: offset)
        case .array(let element, let count):
            let node = try compile(element, ("", ""), offset: offset)
            let stride = node.fixedSize.map { BitField.align($0, node.alignment) }
            let (length, overflow) = (stride ?? 1).multipliedReportingOverflow(by: Int(count))
            if length > Self.sizeLimit || overflow {
                throw source.error(
                    .limitExceeded, at: offset, "The array '\(name.declaredName)' is too large for any packet")
            }
            // There is no padding after the last element.
            let size = stride.map { count == 0 ? 0 : $0 * Int(count - 1) + (node.fixedSize ?? 0) }
            let array = FieldNode(name, .array(node, count: Int(count)), alignment: node.alignment, fixedSize: size)
            Self.setText(array, element)
            // The role of a UUID belongs to the array of its bytes.
            if node.role == .uuid {
                node.role = .none
                array.role = .uuid
            }
            return array
        case .sequence(let element, let length):
            let target = try find(length)
            guard target.isInteger, !target.isSigned else {
                throw source.error(
                    .unknownReference, at: length.offset,
                    "'\(length.path.joined(separator: "."))' cannot be a length: it is not an unsigned integer")
            }
            let store = store(of: target)
            let node = try compile(element, ("", ""), offset: offset)
            let sequence = FieldNode(
                name, .sequence(node, lengthStore: store), alignment: node.alignment, fixedSize: nil)
            Self.setText(sequence, element)
            return sequence
        case .variant(let variant): return try self.variant(variant, name, offset: offset)
        }
    }

    /// Makes an array of encoded bytes a text.
    private static func setText(_ array: FieldNode, _ element: CTFFieldType) {
        guard case .integer(let integer) = element else { return }
        array.isText = integer.encoding != .none && integer.size == 8 && integer.alignment == 8
        array.encoding = integer.encoding
    }

    private mutating func integer(
        _ type: CTFIntegerType, _ enumeration: CTFEnumerationType?, _ name: (name: String, declaredName: String),
        offset: Int
    ) throws(CTFError) -> FieldNode {
        let size = type.isVariableLength ? nil : type.size
        let node = FieldNode(name, .integer, alignment: type.alignment, fixedSize: size)
        node.isVariableLength = type.isVariableLength
        node.isReversed = type.isReversed
        node.role = type.role
        node.size = type.size
        node.isSigned = type.isSigned
        node.isBigEndian = type.isBigEndian
        node.base = type.base
        node.enumeration = enumeration
        if let clock = type.clock {
            guard clocks.contains(clock) else {
                throw source.error(
                    .unknownReference, at: offset,
                    "The field '\(name.declaredName)' is mapped to the clock '\(clock)', which is not declared")
            }
            usedClocks.insert(clock)
            if current == .eventHeader { node.role = .time }
        }
        return node
    }

    private mutating func structure(
        _ type: CTFStructureType, _ name: (name: String, declaredName: String), offset: Int
    ) throws(CTFError) -> FieldNode {
        enclosing.append([])
        defer { enclosing.removeLast() }
        let level = enclosing.count - 1
        var alignment = type.minimumAlignment
        var size: Int? = 0
        for field in type.fields {
            let node = try compile(field.type, (field.name, field.declaredName), offset: offset)
            enclosing[level].append(node)
            alignment = max(alignment, node.alignment)
            if let before = size, let own = node.fixedSize {
                size = BitField.align(before, node.alignment) + own
            } else {
                size = nil
            }
        }
        if let size, size > Self.sizeLimit {
            throw source.error(
                .limitExceeded, at: offset, "The structure '\(name.declaredName)' is too large for any packet")
        }
        return FieldNode(name, .structure(enclosing[level]), alignment: alignment, fixedSize: size)
    }

    private mutating func variant(
        _ type: CTFVariantType, _ name: (name: String, declaredName: String), offset: Int
    ) throws(CTFError) -> FieldNode {
        guard let tag = type.tag else {
            throw source.error(.unknownReference, at: offset, "The variant '\(name.declaredName)' has no tag")
        }
        let target = try find(tag)
        guard type.choices != nil ? target.isInteger : target.enumeration != nil else {
            let reason = type.choices != nil ? "a selector: it is not an integer" : "a tag: it is not an enumeration"
            throw source.error(
                .unknownReference, at: tag.offset, "'\(tag.path.joined(separator: "."))' cannot be \(reason)")
        }
        let store = store(of: target)
        var options: [FieldNode] = []
        for option in type.options {
            options.append(try compile(option.type, (option.name, option.declaredName), offset: offset))
        }
        let mappings = target.enumeration?.mappings ?? []
        let choices =
            type.choices
            ?? mappings.compactMap { mapping in
                options.firstIndex { $0.declaredName == mapping.label || "_\(mapping.label)" == $0.declaredName }
                    .map { FieldNode.Choice(lower: mapping.lower, upper: mapping.upper, option: $0) }
            }
        return FieldNode(
            name, .variant(options, choices: choices, tagStore: store, isSigned: target.isSigned), alignment: 1,
            fixedSize: nil)
    }

    private mutating func optional(
        _ type: CTFOptionalType, _ name: (name: String, declaredName: String), offset: Int
    ) throws(CTFError) -> FieldNode {
        let target = try find(type.selector)
        guard target.isInteger else {
            throw source.error(
                .unknownReference, at: type.selector.offset,
                "'\(type.selector.path.joined(separator: "."))' cannot be a selector: it is not an integer")
        }
        let store = store(of: target)
        let content = try compile(type.content, ("", ""), offset: offset)
        return FieldNode(
            name, .optional(content, choices: type.choices, selectorStore: store, isSigned: target.isSigned),
            alignment: 1, fixedSize: nil)
    }

    // MARK: References

    private mutating func store(of node: FieldNode) -> Int {
        if node.store < 0 {
            node.store = storeCount
            storeCount += 1
        }
        return node.store
    }

    private mutating func find(_ reference: CTFFieldReference) throws(CTFError) -> FieldNode {
        switch reference.start {
        case .search: break
        case .root(let root):
            let fields = root == current ? enclosing.first : roots[root]?.fields
            if root != current { outerRoots.insert(root) }
            if let fields, let node = Self.findMember(reference.path[...], in: fields) { return node }
            throw notFound(reference)
        case .enclosing(let levels):
            let level = enclosing.count - 1 - levels
            guard level >= 0, let node = Self.findMember(reference.path[...], in: enclosing[level]) else {
                throw notFound(reference)
            }
            return node
        }
        for root in Root.allCases {
            let prefix = root.rawValue.split(separator: ".").map(String.init)
            guard reference.path.count > prefix.count, reference.path.starts(with: prefix) else { continue }
            let rest = reference.path.dropFirst(prefix.count)
            if root == current {
                if let fields = enclosing.first, let node = Self.find(rest, in: fields) { return node }
            } else if let node = roots[root], let found = Self.find(rest, in: node.fields) {
                outerRoots.insert(root)
                return found
            }
        }
        for fields in enclosing.reversed() {
            if let node = Self.find(reference.path[...], in: fields) { return node }
        }
        for root in Root.allCases.reversed() where root != current {
            if let node = roots[root], let found = Self.find(reference.path[...], in: node.fields) {
                outerRoots.insert(root)
                return found
            }
        }
        throw notFound(reference)
    }

    private func notFound(_ reference: CTFFieldReference) -> CTFError {
        source.error(
            .unknownReference, at: reference.offset,
            "There is no field '\(reference.path.joined(separator: "."))' before this place")
    }

    /// Finds a field by the names of structure members. Options and optional fields have no name in such a path.
    private static func findMember(_ path: ArraySlice<String>, in fields: [FieldNode]) -> FieldNode? {
        guard let name = path.first else { return nil }
        for node in fields where node.declaredName == name {
            if let found = findMember(path.dropFirst(), at: node) { return found }
        }
        return nil
    }

    private static func findMember(_ rest: ArraySlice<String>, at node: FieldNode) -> FieldNode? {
        switch node.kind {
        case .structure(let fields): findMember(rest, in: fields)
        case .variant(let options, _, _, _): options.lazy.compactMap { findMember(rest, at: $0) }.first
        case .optional(let content, _, _, _): findMember(rest, at: content)
        default: rest.isEmpty ? node : nil
        }
    }

    private static func find(_ path: ArraySlice<String>, in fields: [FieldNode]) -> FieldNode? {
        guard let name = path.first, let node = fields.last(where: { $0.declaredName == name }) else { return nil }
        let rest = path.dropFirst()
        if rest.isEmpty { return node }
        switch node.kind {
        case .structure(let fields): return find(rest, in: fields)
        case .variant(let options, _, _, _): return find(rest, in: options)
        default: return nil
        }
    }
}
