import Foundation
import TestSupport
import Testing

@Suite("The end of a process")
struct ProcessEndTests {
    /// Event counts that end in the first page, after it, after the first packet, and in larger packets.
    @Test(
        "leaves every event and whole packets, however full they are", arguments: [0, 100, 600, 2_000, 5_000, 200_000])
    func everyEvent(events: Int) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        _ = try Program.probe.scenario("exit", path, "\(events)")
        let trace = try RecordedTrace(path)
        #expect(trace.lines(named: ["item_begin"]).map { $0.values[0] } == (0..<events).map { "\($0)" })
        #expect(trace.summary.discarded == 0)
        for file in try FileManager.default.contentsOfDirectory(atPath: path) where file != "metadata" {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)"))
            #expect(packetBytes(in: bytes) == bytes.count, "nothing of \(file) lies outside of packets")
        }
        guard let babeltrace2 = Program.babeltrace2 else { return }
        let listing = try babeltrace2.run([path])
        #expect(listing.status == 0 && listing.errors.isEmpty, "\(listing.errors)")
        #expect(listing.lines.count == trace.lines.count)
    }

    @Test("leaves nothing in the files but packets without padding, and nothing in memory", arguments: [100, 200_000])
    func rest(events: Int) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        _ = try Program.probe.scenario("exit", path, "\(events)")
        for file in try FileManager.default.contentsOfDirectory(atPath: path) where file.hasPrefix("thread-") {
            let size = try #require(FileManager.default.attributesOfItem(atPath: path + "/" + file)[.size] as? Int)
            let eventBytes = 17  // header 5, item 6, queue 6
            #expect(size > 0 && size <= events * eventBytes * 101 / 100 + 4096, "\(file)")
        }
        #expect(!FileManager.default.fileExists(atPath: path + "/.arena"))
    }

    /// The successor of the main thread checks every 50 ms whether its session has ended.
    @Test("ends when its main thread ended in an earlier session", arguments: ["0", "45", "200"])
    func mainThreadOfEarlierSession(pause: String) throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("main-thread-sessions", directory.path, pause)
        #expect(result.output == "exit\n")
        #expect(try RecordedTrace(directory.appending("second")).lines(named: ["item_begin"]).count == 1)
    }

    @Test("runs to the end of its threads when it was forked after its parent's main thread had ended")
    func mainThreadOfParent() throws {
        let directory = TemporaryDirectory()
        let result = try Program.probe.scenario("main-thread-fork", directory.path)
        #expect(result.output == "work done\n")
    }

    /// The number of bytes at the start of a data stream file that belong to used packets.
    private func packetBytes(in file: Data) -> Int {
        var end = 0
        while end + 64 <= file.count {
            let (magic, bits) = file.withUnsafeBytes {
                (
                    $0.loadUnaligned(fromByteOffset: end, as: UInt32.self),
                    $0.loadUnaligned(fromByteOffset: end + 56, as: UInt64.self)
                )
            }
            guard magic == 0xC1FC_1FC1, bits > 0 else { break }
            end += Int(bits / 8)
        }
        return end
    }
}
