import Testing

@testable import QueuescopeCommand

@Suite struct ByteSizeTests {
    @Test(
        "Sizes are whole numbers with an optional unit of 1024",
        arguments: [
            ("1", 1), ("4096", 4_096), ("1k", 1_024), ("64M", 64 << 20), ("2G", 2 << 30), ("1T", 1 << 40),
            ("3MiB", 3 << 20), ("5kb", 5 << 10),
        ] as [(String, UInt64)])
    func accepts(text: String, bytes: UInt64) {
        #expect(ByteSize(argument: text)?.bytes == bytes)
    }

    @Test("Anything else is refused", arguments: ["", "0", "-1", "1.5M", "M", "1x", "9999999999G", "１", " 1"])
    func refuses(text: String) {
        #expect(ByteSize(argument: text) == nil)
    }
}
