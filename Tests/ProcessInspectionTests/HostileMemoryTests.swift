import Foundation
import Symbolication
import Testing

@testable import ProcessInspection

/// Memory that no program has, read from the test's own process.
@Suite("Hostile memory")
struct HostileMemoryTests {
    private struct Own {
        let memory = ProcessMemory(RunningMemory(pid: getpid()))
        let images: ProcessImages
        let dispatch: DispatchRuntime

        init() throws {
            let process = try RunningProcess(getpid())
            images = ProcessImages(of: process, memory: memory)
            let symbols = RuntimeSymbols(images: images, sources: SymbolSources(), executable: process.executablePath)
            dispatch = DispatchRuntime(symbols, memory: memory)
        }

        /// A serial queue in memory of the test.
        func queue(_ change: (UnsafeMutablePointer<UInt64>) -> Void) throws -> UnsafeMutablePointer<UInt64> {
            let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 64)
            words.initialize(repeating: 0, count: 64)
            words[0] = try #require(dispatch.classes.first { $0.value == .serial }?.key)
            change(words)
            return words
        }
    }

    private func address(_ words: UnsafeMutablePointer<UInt64>, plus offset: Int = 0) -> UInt64 {
        UInt64(UInt(bitPattern: words)) + UInt64(offset)
    }

    @Test("The layout of this libdispatch is known, and a real queue is read")
    func realQueue() throws {
        let own = try Own()
        #expect(own.dispatch.isKnown)
        let queue = DispatchQueue(label: "test.real")
        queue.suspend()
        defer { queue.resume() }
        for _ in 0..<3 { queue.async {} }
        // The object of Swift has the object of libdispatch behind its header.
        let wrapper = UInt64(UInt(bitPattern: Unmanaged.passUnretained(queue).toOpaque()))
        let object = try #require(own.memory.word(at: wrapper + 16))
        let read = try #require(own.dispatch.queue(at: object))
        #expect(read.label == "test.real" && read.kind == .serial && read.itemCount == 3)
        #expect(read.state.suspensions == 1 && read.state.owner == nil)
    }

    @Test("A library whose file is also mapped as data is found once, with its code")
    func dataMapping() throws {
        let own = try Own()
        let library = try #require(own.images.named("libdispatch").first)
        let file = open(library.path, O_RDONLY)
        defer { close(file) }
        let copy = mmap(nil, 4096, PROT_READ, MAP_PRIVATE, file, 0)
        defer { munmap(copy, 4096) }
        let again = try Own()
        #expect(again.images.named("libdispatch").map(\.begin) == [library.begin])
        #expect(again.dispatch.isKnown)
    }

    @Test("A list of items that is a loop ends at the limit")
    func loop() throws {
        let own = try Own()
        let words = try own.queue { words in
            // The item at word 32 is its own successor.
            words[13] = address(words, plus: 256)
            words[6] = words[13]
            words[34] = words[13]
        }
        defer { words.deallocate() }
        let queue = try #require(own.dispatch.queue(at: address(words)))
        #expect(queue.itemCount == DispatchRuntime.mostItems)
    }

    @Test("Pointers to nothing end a list", arguments: [0, 1, 0x1001, 1 << 40, 1 << 63, UInt64.max])
    func badPointers(pointer: UInt64) throws {
        let own = try Own()
        let words = try own.queue { words in
            words[6] = .max
            words[9] = pointer
            words[13] = pointer
        }
        defer { words.deallocate() }
        let queue = try #require(own.dispatch.queue(at: address(words)))
        #expect(queue.items.isEmpty && queue.label == "")
    }

    @Test("An object that is not there is none")
    func noObject() throws {
        let own = try Own()
        for address in [0, 8, 0xFFFF_FFFF_FFFF_FFF8, 1 << 46] as [UInt64] {
            #expect(own.dispatch.queue(at: address) == nil)
            #expect(own.dispatch.object(containing: address) == nil)
            #expect(own.dispatch.queue(ofSyncWaitingFor: address, thread: 1) == nil)
        }
        #expect(SwiftTypeName.ofObject(at: 0, memory: own.memory) == nil)
    }

    @Test("The memory of a process without end is not read as a text")
    func longText() {
        let text = [UInt8](repeating: 65, count: 10_000)
        text.withUnsafeBytes { bytes in
            let address = UInt64(UInt(bitPattern: bytes.baseAddress))
            #expect(ProcessMemory(RunningMemory(pid: getpid())).text(at: address, longest: 1000) == nil)
        }
    }

    @Test("Random unwind instructions and expressions never trap", arguments: [1, 2, 3, 4] as [UInt64])
    func randomTables(seed: UInt64) {
        var state = seed
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        for _ in 0..<20_000 {
            let bytes = (0..<Int(next() % 40)).map { _ in next() }
            bytes.withUnsafeBytes { buffer in
                var rules = CallFrameRules()
                _ = rules.run(
                    0..<buffer.count, of: buffer, from: 0x1000, to: 0x1010, initial: [:],
                    factors: .init(code: UInt64(next()), data: Int64(next())))
                _ = CallFrameExpression.value(
                    of: 0..<buffer.count, in: buffer, registers: RegisterFile([1, 2, 3]), initial: 7, read: { $0 &+ 1 })
            }
        }
    }
}
