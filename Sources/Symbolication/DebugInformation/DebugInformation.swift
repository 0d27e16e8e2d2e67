/// Functions, files and lines of code, read from the DWARF sections of a file.
///
/// The header of each unit is read at the first question. The entries and the line table of a unit are read at the
/// first question about its code. The contents are untrusted: damaged parts count as missing.
final class DebugInformation {
    /// A function at an address.
    struct Frame {
        /// The mangled name; nil when the file does not have it.
        var function: String?
        var file: String?
        /// 0 when unknown.
        var line = 0
        /// The first address of the function, if its code is contiguous.
        var begin: UInt64?
        /// The place where the function is declared; the line is 0 when unknown.
        var declarationFile: String?
        var declarationLine = 0
    }

    private typealias Attribute = DebugUnit.Attribute

    private let sections: DebugSections
    /// In the order of the file.
    private let units: [DebugUnit]
    private let segments: AddressSegments
    private var subroutines: [Int: DebugSubroutines] = [:]
    private var lines: [UInt64: DebugLines?] = [:]

    /// Reads the headers of all units.
    init(_ sections: DebugSections) {
        self.sections = sections
        let cache = DebugUnit.AbbreviationCache()
        var units: [DebugUnit] = []
        var cursor = DebugCursor(sections.entries.bytes)
        while !cursor.isAtEnd {
            if let unit = DebugUnit(at: &cursor, in: sections, cache) { units.append(unit) }
        }
        self.units = units
        segments = AddressSegments(
            units.enumerated().flatMap { number, unit in
                unit.root.ranges.map {
                    .init(begin: $0.lowerBound, end: $0.upperBound, owner: Int32(units.count - 1 - number))
                }
            })
    }

    /// The functions at an address: inlined functions, innermost first, then the function itself. Empty when unknown.
    func frames(at address: UInt64) -> [Frame] {
        withExtendedLifetime(self) {
            guard let owner = segments.owner(at: address) else { return [] }
            let number = units.count - 1 - owner
            let unit = units[number]
            let lines = lines(of: unit)
            let known = subroutines[number] ?? DebugSubroutines(of: unit, in: sections)
            subroutines[number] = known
            var place = lines?.place(at: address).map { (file: lines?.path(ofFile: $0.file, in: unit), line: $0.line) }
            let entries = known.entries(at: address)
            if entries.isEmpty { return place.map { [Frame(file: $0.file, line: $0.line)] } ?? [] }
            return entries.map { entry in
                var frame = Frame(file: place?.file, line: place?.line ?? 0)
                var (callFile, callLine): (UInt64, UInt64) = (0, 0)
                unit.read(entry, in: sections) { name, value in
                    switch name {
                    case Attribute.callFile: callFile = value.number ?? 0
                    case Attribute.callLine: callLine = value.number ?? 0
                    case Attribute.low: frame.begin = sections.address(value, of: unit)
                    default: break
                    }
                }
                describe(entry, of: unit, in: &frame)
                // The line of the next function is the line of the call of this one.
                place = (lines?.path(ofFile: callFile, in: unit), Self.line(callLine))
                return frame
            }
        }
    }

    private static func line(_ number: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: number)) }

    private func lines(of unit: DebugUnit) -> DebugLines? {
        guard let offset = unit.root.lines else { return nil }
        if let known = lines[offset] { return known }
        let read = DebugLines(at: offset, in: sections, of: unit)
        lines[offset] = .some(read)
        return read
    }

    /// The most entries that refer to each other: an inlined copy, its abstract origin and its declaration. A limit
    /// against hostile files, which can have cycles.
    private static let longestChain = 8

    /// Adds the name and the declaration of an entry, or of the entries that it refers to.
    private func describe(_ entry: Int, of unit: DebugUnit, in frame: inout Frame) {
        var (shortName, linkageName): (String?, String?)
        var file: (number: UInt64, unit: DebugUnit)?
        var line: UInt64?
        var next: (entry: Int, unit: DebugUnit)? = (entry, unit)
        for _ in 0..<Self.longestChain {
            guard let (entry, unit) = next else { break }
            var reference: DebugValue?
            unit.read(entry, in: sections) { name, value in
                switch (name, value) {
                case (Attribute.linkageName, .text(let text)), (Attribute.oldLinkageName, .text(let text)):
                    linkageName = linkageName ?? sections.text(text, in: sections.entries, of: unit)
                case (Attribute.name, .text(let text)):
                    shortName = shortName ?? sections.text(text, in: sections.entries, of: unit)
                case (Attribute.declarationFile, _): if file == nil { file = value.number.map { ($0, unit) } }
                case (Attribute.declarationLine, _): line = line ?? value.number
                case (Attribute.origin, _), (Attribute.specification, _): reference = value
                default: break
                }
            }
            next = reference.flatMap { target(of: $0, from: unit) }
        }
        frame.function = linkageName ?? shortName
        frame.declarationLine = Self.line(line ?? 0)
        if let file { frame.declarationFile = lines(of: file.unit)?.path(ofFile: file.number, in: file.unit) }
    }

    /// The entry that an attribute refers to, and its unit.
    private func target(of reference: DebugValue, from unit: DebugUnit) -> (Int, DebugUnit)? {
        switch reference {
        case .unitReference(let offset):
            guard offset < UInt64(unit.range.count) else { return nil }
            return (unit.range.lowerBound + Int(offset), unit)
        case .reference(let offset):
            guard let offset = Int(exactly: offset) else { return nil }
            let number = units.partitioningIndex { $0.range.lowerBound > offset } - 1
            guard number >= 0, units[number].range.contains(offset) else { return nil }
            return (offset, units[number])
        default: return nil
        }
    }
}
