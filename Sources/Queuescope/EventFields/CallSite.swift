import CTraceRecorder

/// Where in the program's source a call was made, as `#fileID` and `#line` give it.
@usableFromInline
struct CallSite: Sendable {
    let file: StaticString
    let line: UInt

    @usableFromInline
    init(file: StaticString, line: UInt) {
        self.file = file
        self.line = line
    }

    /// The site's number in the trace; its definition is written at the first use in a session. 0 when nothing records.
    var code: UInt32 {
        guard file.hasPointerRepresentation else { return 0 }
        return file.utf8Start.withMemoryRebound(to: CChar.self, capacity: file.utf8CodeUnitCount) {
            qs_code_site($0, file.utf8CodeUnitCount, UInt32(truncatingIfNeeded: line))
        }
    }

    /// The number of a name at this site, as signposts need it.
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
