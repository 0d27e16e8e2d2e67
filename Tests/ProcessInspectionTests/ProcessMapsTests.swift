import Testing

@testable import ProcessInspection

@Suite("Mappings and system calls of a process")
struct ProcessMapsTests {
    @Test("A mapping has its range, rights, offset and path")
    func mapping() throws {
        let maps = ProcessMaps(
            """
            7f0000002000-7f0000003000 rw-p 00001000 08:01 42     /opt/a b/lib.so (deleted)
            55d000000000-55d000001000 r-xp 00000000 00:00 0 
            """)
        #expect(maps.mappings.count == 2)
        let found = try #require(maps.mapping(holding: 0x7F00_0000_2FFF))
        #expect(found.path == "/opt/a b/lib.so" && found.isDeleted && found.isWritable && !found.isExecutable)
        #expect(found.offset == 0x1000)
        #expect(maps.mapping(holding: 0x7F00_0000_3000) == nil)
        #expect(maps.isCode(0x55D0_0000_0000) && !maps.isWritable(0x55D0_0000_0000))
    }

    @Test(
        "Damaged lines are ignored",
        arguments: ["", "x", "1-2", "2-1 rw-p 0 0 0", "zz-yy rw-p 0 0 0 /a", "1-2 r 0 0 0"])
    func damaged(line: String) { #expect(ProcessMaps(line).mappings.isEmpty) }

    @Test("A blocked call has its number and arguments, a running thread has none")
    func systemCall() throws {
        let call = try #require(SystemCall("202 0x7f10 0x80 0x2 0x0 0x0 0x0 0x7ffe1000 0x7f0000001234\n"))
        #expect(call.number == 202 && call.arguments[0] == 0x7F10 && call.stackPointer == 0x7FFE_1000)
        for text in ["running\n", "", "-1 0x7ffe1000 0x7f0000001234", "202 0x1 0x2"] {
            #expect(SystemCall(text) == nil)
        }
    }
}
