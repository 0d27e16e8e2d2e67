import Testing

@testable import QueuescopeCommand

@Suite struct ByteSizeTests {
    @Test(
        "Sizes are whole numbers with an optional unit of 1024",
        arguments: [
            ("1", 1), ("4096", 4_096), ("1k", 1_024), ("64M", 64 << 20), ("2G", 2 << 30), ("1T", 1 << 40),
            ("3MiB", 3 << 20), ("5kb", 5 << 10),
        ] as [(String, UInt64)])
    func accepts(text: String, bytes: UInt64) throws {
        #expect(try ByteSize(argument: text).bytes == bytes)
    }

    @Test(
        "Other texts are rejected with the reason",
        arguments: [
            ("", "not a whole number"), ("-1", "not a whole number"), ("1.5M", "not a whole number"),
            ("M", "not a whole number"), ("1x", "not a whole number"), ("１", "not a whole number"),
            (" 1", "not a whole number"), ("0", "smallest size"), ("0M", "smallest size"),
            ("9999999999G", "largest size"), ("99999999999999999999", "largest size"),
        ])
    func rejects(text: String, reason: String) {
        let error = #expect(throws: (any Error).self) { try ByteSize(argument: text) }
        #expect("\(error as Any)".contains(reason))
    }

    @Test("A default value is shown in the form of an argument", arguments: ["4097", "5k", "64M", "2G", "1T"])
    func argument(text: String) throws {
        #expect(try ByteSize(argument: text).argument == text)
    }
}
