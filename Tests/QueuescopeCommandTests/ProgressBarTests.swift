import Foundation
import TestSupport
import Testing

@Suite("The progress of a report")
struct ProgressBarTests {
    private static let trace = URL(filePath: #filePath)
        .appending(path: "../../../traces/1.1/news-service-before/trace").standardizedFileURL.path

    /// Requests of Linux's terminals (`asm-generic/ioctls.h`), which are macros that Swift does not see.
    private static let setLock: UInt = 0x4004_5431
    private static let openPeer: UInt = 0x5441

    /// Runs a report whose standard error is a new terminal.
    ///
    /// - Returns: its status and everything that it wrote to the terminal.
    private func reportOnTerminal() throws -> (status: Int32, text: String) {
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(controller >= 0)
        defer { close(controller) }
        var isLocked: Int32 = 0
        try #require(ioctl(controller, Self.setLock, &isLocked) == 0)
        let terminal = ioctl(controller, Self.openPeer, O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        let process = Process()
        process.executableURL = URL(filePath: Program.built("queuescope").path)
        process.arguments = ["report", Self.trace]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
        try process.run()
        process.endAtTheLatest()
        // Then the program has the only other end, and reading ends with it.
        close(terminal)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(controller, &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer.prefix(count)
        }
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    @Test("On a terminal a bar grows, and is gone at the end")
    func terminal() throws {
        let (status, text) = try reportOnTerminal()
        #expect(status == 0)
        let shares = text.matches(of: #/(█*)(░*) (\d+)%/#).map { (bar: $0.1.count, all: $0.1.count + $0.2.count, $0.3) }
        #expect(shares.count > 3)
        #expect(shares.allSatisfy { $0.all == 30 })
        #expect(shares.map(\.bar) == shares.map(\.bar).sorted())
        #expect(try #require(shares.last).bar > 20)
        #expect(text.hasSuffix("\r\u{1B}[K"))
    }

    @Test("There is none where nobody looks")
    func file() throws {
        #expect(try Program.built("queuescope").run(["report", Self.trace]).errors.isEmpty)
    }
}
