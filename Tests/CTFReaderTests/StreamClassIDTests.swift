import CTFReader
import Testing

@Suite("Stream classes and their events")
struct StreamClassIDTests {
    @Test("events that name no stream class belong to the only one, whatever its id")
    func onlyClass() throws {
        let metadata = """
            /* CTF 1.8 */
            trace { major = 1; minor = 8; byte_order = le; };
            stream { id = 7; event.header := struct { integer { size = 8; } id; }; };
            event { name = e; id = 1; fields := struct { integer { size = 8; } x; }; };
            """
        let (lines, summary) = try CTFTraceFixture(metadata: metadata, files: [("s", [1, 42, 1, 43])]).read()
        #expect(lines == ["e @0 tid=0 x=42", "e @0 tid=0 x=43"])
        #expect(summary.notes.isEmpty)
    }
}
