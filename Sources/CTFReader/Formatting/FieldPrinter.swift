/// Writes fields as text in the format of babeltrace2.
enum FieldPrinter {
    /// Writes the value of the field at the current position and moves the walker to its end.
    ///
    /// - Parameters:
    ///   - node: the field.
    ///   - walker: the walker, positioned at the field.
    ///   - line: receives the text.
    ///   - hides: whether a field of a structure is left out.
    /// - Throws: when the field cannot be decoded.
    static func print(
        _ node: FieldNode, _ walker: inout FieldWalker, to line: inout LineBuffer,
        hiding hides: (FieldNode) -> Bool = { _ in false }
    ) throws(FieldWalker.Problem) {
        switch node.kind {
        case .integer:
            let bits = try walker.number(node)
            if node.isBoolean {
                line.append(bits != 0 ? "true" : "false")
            } else if let bitMap = node.bitMap {
                print(bitMap, bits, node, to: &line)
            } else if let enumeration = node.enumeration {
                print(enumeration, bits, node, to: &line)
            } else {
                print(bits, node, to: &line)
            }
        case .float:
            if case .float(let value, _) = try walker.read(node) { line.append(value) }
        case .string where node.encoding.unitSize == 1:
            line.appendQuoted(try walker.text())
        case .string:
            line.appendQuoted(try walker.string(node).utf8)
        case .structure(let fields):
            walker.position = BitField.align(walker.position, node.alignment)
            line.append("{")
            var isFirst = true
            for field in fields {
                if hides(field) {
                    try walker.skip(field)
                    continue
                }
                line.append(isFirst ? " " : ", ")
                isFirst = false
                line.append(field.name)
                line.append(" = ")
                try print(field, &walker, to: &line)
            }
            line.append(" }")
        case .array(let element, _), .sequence(let element, _):
            let count = try walker.beginElements(of: node)
            if node.isBlob {
                line.append("{ ")
                for byte in try walker.bytes(count) {
                    line.append(hexadecimalByte: byte)
                    line.append(" ")
                }
                line.append("}")
                return
            }
            if node.isText, node.encoding.unitSize > 1 {
                line.appendQuoted(node.encoding.decode(try walker.bytes(count)).utf8)
                return
            }
            if node.isText {
                line.appendQuoted(try walker.bytes(count).prefix { $0 != 0 })
                return
            }
            line.append("[")
            for index in 0..<count {
                line.append(index == 0 ? " [" : ", [")
                line.append(UInt64(index))
                line.append("] = ")
                try print(element, &walker, to: &line)
            }
            line.append(" ]")
        case .variant:
            line.append("{ ")
            try print(try walker.option(of: node), &walker, to: &line)
            line.append(" }")
        case .optional(let content, _, _, _):
            guard walker.isPresent(node) else { return line.append("<none>") }
            line.append("{ ")
            try print(content, &walker, to: &line)
            line.append(" }")
        }
    }

    /// Writes an integer; signed integers are sign-extended to 64 bits.
    static func print(_ bits: UInt64, _ node: FieldNode, to line: inout LineBuffer) {
        // Bases other than 10 show the bits of the field, rounded up to whole digits.
        func masked(_ digitBits: Int) -> UInt64 {
            bits & BitField.mask((node.size + digitBits - 1) / digitBits * digitBits)
        }
        switch node.base {
        case 2:
            line.append("0b")
            line.append(masked(1), base: 2, digits: node.size)
        case 8:
            line.append("0")
            line.append(masked(3), base: 8, digits: 1)
        case 16:
            line.append("0x")
            line.append(masked(4), base: 16, digits: 1)
        default:
            if node.isSigned { line.append(Int64(bitPattern: bits)) } else { line.append(bits) }
        }
    }

    static func print(_ enumeration: CTFEnumerationType, _ bits: UInt64, _ node: FieldNode, to line: inout LineBuffer) {
        line.append("( ")
        var isKnown = false
        for mapping in enumeration.mappings where enumeration.contains(mapping, bits) {
            if isKnown { line.append(", ") }
            isKnown = true
            line.appendQuoted(mapping.label.utf8)
        }
        if !isKnown { line.append("<unknown>") }
        line.append(" : container = ")
        print(bits, node, to: &line)
        line.append(" )")
    }

    /// Writes the value of a bit map and its active flags, as babeltrace2 2.1 does.
    private static func print(_ bitMap: CTFBitMapType, _ bits: UInt64, _ node: FieldNode, to line: inout LineBuffer) {
        print(bits, node, to: &line)
        let labels = bitMap.labels(of: bits)
        if labels.isEmpty { return }
        line.append(" { ")
        for (index, label) in labels.enumerated() {
            if index > 0 { line.append(", ") }
            line.appendQuoted(label.utf8)
        }
        line.append(" }")
    }
}
