import CTFReader
import Foundation
import TestSupport
import Testing

/// The installed babeltrace2.
enum Babeltrace {
    static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/babeltrace2" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs babeltrace2 and returns its standard output and exit status.
    static func run(_ arguments: [String]) throws -> (output: Data, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path ?? "")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.endAtTheLatest()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (output, process.terminationStatus)
    }

    /// Splits output into lines.
    static func lines(_ output: Data) -> [String] {
        output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("The same as babeltrace2", .enabled(if: Babeltrace.path != nil, "babeltrace2 is not installed"))
struct BabeltraceOracleTests {
    // babeltrace2 2.0.4 prints an empty string as the string of an earlier record when it reuses the memory of that
    // record. The traces here therefore have no empty strings.

    /// Streams of three threads with interleaved times. At 2.1 GHz, several clock values share a nanosecond.
    static var ring: CTFTraceFixture {
        var random = SplitMix(state: 42)
        let files = (1...3).map { thread in
            var time: UInt64 = 1 << 41
            let packets = (0..<4).map { number in
                PacketBuilder.build {
                    $0.instance = UInt64(4 - thread)
                    $0.tid = UInt32(thread)
                    $0.sequence = UInt64(number)
                    $0.begin = time
                    for _ in 0..<40 {
                        time += UInt64.random(in: 0...3, using: &random)
                        switch UInt8.random(in: 0...3, using: &random) {
                        case 0: $0.item(UInt64.random(in: 0..<(1 << 48), using: &random), at: time)
                        case 1: $0.label(Array("net.queue \(time) 'x'".utf8), at: time)
                        case 2: $0.stack((0..<UInt64.random(in: 0...4, using: &random)).map { $0 * 99999 }, at: time)
                        default: $0.extendedItem(1, at: time)
                        }
                    }
                    $0.end = time
                    $0.minimumSize = 4096
                }
            }
            return (name: "thread-\(thread)", bytes: packets.flatMap { $0 })
        }
        return CTFTraceFixture(metadata: CTFTraceFixture.metadata(frequency: 2_100_000_000), files: files)
    }

    private static let options: [(String, [String], EventFormatter.Options)] = [
        ("default", [], .init()), ("cycles", ["--clock-cycles"], .init(clockCycles: true)),
        ("no delta", ["--no-delta"], .init(delta: false)),
    ]

    private static let traces: [(String, CTFTraceFixture)] = [
        ("ring", ring), ("LTTng", LTTngFixture.trace()), ("every type", EveryTypeFixture.trace),
    ]

    @Test("every record is printed byte for byte as babeltrace2 prints it", arguments: [0, 1, 2], [0, 1, 2])
    func lines(trace: Int, option: Int) throws {
        try Self.traces[trace].1.use { path in
            var lines = Data()
            let summary = try EventFormatter.write([try CTFTrace(path: path)], options: Self.options[option].2) {
                lines.append(contentsOf: $0)
            }[0]
            let expected = try Babeltrace.run(Self.options[option].1 + [path])
            #expect(expected.status == 0)
            #expect(summary.notes.isEmpty)
            #expect(summary.events > 2)
            let (left, right) = (Babeltrace.lines(lines), Babeltrace.lines(expected.output))
            #expect(left.count == right.count)
            #expect(left == right)
        }
    }
}
