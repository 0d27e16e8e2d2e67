import Testing

@testable import QueuescopeCommand

@Suite("The names of control sockets, and the messages")
struct ControlSocketTests {
    @Test("are found in the table of the kernel: listening ones only, sorted by process")
    func table() {
        let table = """
            Num       RefCount Protocol Flags    Type St Inode Path
            00000000a: 00000002 00000000 00010000 0005 01 4526735 @queuescope.1.4711
            00000000b: 00000003 00000000 00000000 0005 03 4526736 @queuescope.1.4711
            00000000c: 00000002 00000000 00010000 0001 01 4526737 /run/queuescope.1.5
            00000000d: 00000002 00000000 00010000 0005 01 4526738 @queuescope.1.47.2
            00000000e: 00000002 00000000 00010000 0005 01 4526739 @queuescope.2.48
            00000000f: 00000002 00000000 00010000 0005 01 4526740
            """
        let sockets = ControlSocket.sockets(in: table)
        #expect(sockets.map(\.name) == ["queuescope.1.47.2", "queuescope.2.48", "queuescope.1.4711"])
        #expect(sockets.map(\.version) == [1, 2, 1])
    }

    @Test(
        "are no names of other programs",
        arguments: [
            "queuescope", "queuescope.1", "queuescope.1.", "queuescope.1.0", "queuescope.1.-4", "queuescope.x.4",
            "queuescope.1.4.x", "queuescope.1.4.1.1", "other.1.4",
        ])
    func otherNames(name: String) {
        #expect(ControlSocket(name: name) == nil)
    }

    @Test("A request is a list of words that end with a zero")
    func request() {
        var request = ControlRequest(.start)
        request.add("trace", "/a=b c")
        request.add("mode", nil)
        #expect(request.bytes == Array("queuescope\u{0}1\u{0}start\0trace=/a=b c\0".utf8))
    }

    @Test("An answer has values, and other bytes are no answer")
    func answer() throws {
        let answer = try #require(ControlAnswer(Array("queuescope\u{0}1\u{0}ok\0trace=/a=b\0empty\0number=7\0".utf8)))
        #expect(answer.isSuccess && answer["trace"] == "/a=b" && answer["empty"] == "" && answer.number("number") == 7)
        for text in ["", "queuescope", "queuescope\u{0}1\u{0}maybe\0", "other\u{0}1\u{0}ok\0"] {
            #expect(ControlAnswer(Array(text.utf8)) == nil)
        }
    }
}
