/// The attributes of a block, by name.
struct BlockAttributes {
    private let attributes: [String: AttributeSyntax]
    private let source: MetadataSource

    /// Collects the attributes of a block.
    ///
    /// - Throws: a ``CTFError`` when an attribute occurs twice.
    init(_ entries: [MetadataEntry], _ source: MetadataSource) throws(CTFError) {
        var attributes: [String: AttributeSyntax] = [:]
        for case .attribute(let attribute) in entries {
            guard attributes.updateValue(attribute, forKey: attribute.name) == nil else {
                throw source.error(.duplicate, at: attribute.offset, "'\(attribute.name)' occurs twice")
            }
        }
        self.attributes = attributes
        self.source = source
    }

    subscript(name: String) -> AttributeSyntax? { attributes[name] }

    func text(_ name: String) throws(CTFError) -> String? {
        guard let attribute = attributes[name] else { return nil }
        switch attribute.value {
        case .text(let text), .words(let text): return text
        case .number:
            throw source.error(.invalidAttribute, at: attribute.offset, "'\(name)' must be a text")
        }
    }

    func unsigned(_ name: String) throws(CTFError) -> UInt64? { try number(name, "from 0 to 2^64 - 1") }

    func signed(_ name: String) throws(CTFError) -> Int64? { try number(name, "from -2^63 to 2^63 - 1") }

    private func number<Number: FixedWidthInteger>(_ name: String, _ range: String) throws(CTFError) -> Number? {
        guard let attribute = attributes[name] else { return nil }
        guard case .number(let number) = attribute.value, let value = Number(exactly: number) else {
            throw source.error(.invalidAttribute, at: attribute.offset, "'\(name)' must be a number \(range)")
        }
        return value
    }
}
