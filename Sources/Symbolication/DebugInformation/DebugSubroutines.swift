/// The functions of a unit, and the functions that were inlined into them, by address.
struct DebugSubroutines {
    private enum Tag {
        static let inlined: UInt16 = 0x1D
        static let function: UInt16 = 0x2E
    }

    private struct Subroutine {
        /// The offset of its entry in `.debug_info`.
        let entry: Int
        /// The number of the enclosing function; -1 when there is none.
        let parent: Int32
        let isInlined: Bool
    }

    /// Limits against hostile files.
    private static let deepestNesting = 1 << 14
    private static let mostRanges = 1 << 22

    private var subroutines: [Subroutine] = []
    private let segments: AddressSegments

    /// Reads all entries of a unit.
    init(of unit: DebugUnit, in sections: DebugSections) {
        let bytes = sections.entries.bytes
        var cursor = DebugCursor(bytes, at: unit.firstEntry, end: unit.range.upperBound)
        let (abbreviations, encoding) = (unit.abbreviations, unit.encoding)
        var ranges: [AddressSegments.Entry] = []
        // The enclosing function of each open level.
        var levels: [Int32] = []
        while !cursor.isAtEnd, ranges.count < Self.mostRanges {
            let entry = cursor.position
            let code = cursor.uleb()
            if code == 0 {
                _ = levels.popLast()
                if levels.isEmpty { break }
                continue
            }
            guard let shape = abbreviations.entry(code) else { break }
            var own = levels.last ?? -1
            if shape.tag == Tag.function || shape.tag == Tag.inlined {
                var (low, high, list): (DebugValue?, DebugValue?, DebugValue?)
                for index in shape.attributes {
                    let attribute = abbreviations.attributes[index]
                    switch attribute.name {
                    case DebugUnit.Attribute.low, DebugUnit.Attribute.high, DebugUnit.Attribute.ranges:
                        let value = DebugForm.value(
                            attribute.form, constant: attribute.constant, encoding, at: &cursor)
                        switch attribute.name {
                        case DebugUnit.Attribute.low: low = value
                        case DebugUnit.Attribute.high: high = value
                        default: list = value
                        }
                    default: DebugForm.skip(attribute.form, encoding, at: &cursor)
                    }
                }
                guard cursor.isValid else { break }
                let number = Int32(subroutines.count)
                subroutines.append(Subroutine(entry: entry, parent: own, isInlined: shape.tag == Tag.inlined))
                own = number
                if low != nil || list != nil {
                    for range in unit.ranges(low: low, high: high, list: list, in: sections) {
                        ranges.append(.init(begin: range.lowerBound, end: range.upperBound, owner: number))
                    }
                }
            } else if shape.size >= 0 {
                cursor.skip(UInt64(shape.size))
            } else {
                for index in shape.attributes {
                    DebugForm.skip(abbreviations.attributes[index].form, encoding, at: &cursor)
                }
            }
            if shape.hasChildren {
                guard levels.count < Self.deepestNesting else { break }
                levels.append(own)
            } else if levels.isEmpty {
                break
            }
        }
        segments = AddressSegments(ranges)
    }

    /// The offsets of the entries at an address: the inlined functions, innermost first, then the function itself.
    func entries(at address: UInt64) -> [Int] {
        var found: [Int] = []
        var next = segments.owner(at: address) ?? -1
        while next >= 0 {
            let subroutine = subroutines[next]
            found.append(subroutine.entry)
            next = subroutine.isInlined ? Int(subroutine.parent) : -1
        }
        return found
    }
}
