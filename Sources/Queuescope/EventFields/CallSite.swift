import CTraceRecorder

/// The place of a call in the source of the program: `#fileID` and `#line`.
@usableFromInline
struct CallSite: Sendable {
    let file: StaticString
    let line: UInt

    @usableFromInline
    init(file: StaticString, line: UInt) {
        self.file = file
        self.line = line
    }

    /// The number of the site in the trace, 0 while no session records. The definition is written at the first use in a
    /// session.
    var code: UInt32 {
        guard file.hasPointerRepresentation else { return 0 }
        return file.utf8Start.withMemoryRebound(to: CChar.self, capacity: file.utf8CodeUnitCount) {
            qs_code_site($0, file.utf8CodeUnitCount, UInt32(truncatingIfNeeded: line))
        }
    }

    /// The number of a signpost name at this site.
    func code(named name: StaticString) -> UInt32 {
        guard file.hasPointerRepresentation, name.hasPointerRepresentation else { return code }
        return name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) { symbol in
            file.utf8Start.withMemoryRebound(to: CChar.self, capacity: file.utf8CodeUnitCount) { path in
                qs_code_named(
                    symbol, name.utf8CodeUnitCount, path, file.utf8CodeUnitCount, UInt32(truncatingIfNeeded: line))
            }
        }
    }
}
