import DispatchModel
import Foundation
import TestSupport
import Testing

@testable import TraceReports

@Suite struct SymbolizerTests {
    private let image = Image(base: 0x1000, begin: 0x2000, end: 0x3000, buildID: "", path: "/opt/lib/libnews.so")

    @Test("An address in a mapping is the image and the offset in its file")
    func findsImages() {
        let table = SymbolTable(images: [
            Image(base: 0x9000, begin: 0x9000, end: 0xA000, buildID: "", path: "/bin/other"), image,
        ])
        #expect(table.frames(at: 0x2345).map(\.description) == ["libnews.so+0x1345"])
        #expect(table.frames(at: 0x9000)[0].imageName == "other")
    }

    @Test("An address outside of all mappings stays an address", arguments: [0x1FFF, 0x3000, 0, UInt64.max])
    func keepsUnknownAddresses(address: UInt64) {
        let frames = SymbolTable(images: [image]).frames(at: address)
        #expect(frames.map(\.description) == ["0x" + String(address, radix: 16)])
    }

    @Test("Without the tool, or with a tool that fails, frames are image and offset", arguments: [nil, "/bin/false"])
    func worksWithoutTheTool(tool: String?) {
        let here = Image(base: 0x1000, begin: 0x2000, end: 0x3000, buildID: "", path: "/bin/sh")
        let table = Symbolizer(tool: tool).symbols(for: [0x2345], in: [here])
        #expect(table.frames(at: 0x2345)[0].description == "sh+0x1345")
    }

    @Test("A file with another build id than the recorded one is not looked into")
    func refusesAnotherBuild() throws {
        let stack = OwnCode.stack()
        let table = try Symbolizer().symbols(for: stack, in: [OwnCode.image(buildID: "00ff")])
        #expect(stack.flatMap(table.frames(at:)).allSatisfy { $0.symbol == nil })
    }

    @Test("Code of a Swift program becomes functions with file and line", .enabled(if: Symbolizer().tool != nil))
    func symbolizesSwift() throws {
        let stack = OwnCode.stack()
        let table = try Symbolizer().symbols(for: stack, in: [OwnCode.image(buildID: "")])
        let frames = stack.flatMap(table.frames(at:)).filter { $0.symbol?.contains("OwnCode.stack()") == true }
        #expect(frames.contains { $0.file?.hasSuffix("OwnCode.swift") == true && ($0.line ?? 0) > 0 })
    }

    @Test("The build id of an ELF file is read from its notes")
    func readsBuildIDs() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("elf")
        #expect(FileManager.default.createFile(atPath: path, contents: Data(OwnCode.elf(buildID: [0xAB, 0x01, 0xFF]))))
        #expect(BuildID.ofFile(at: path) == "ab01ff")
    }

    @Test("A file cut short anywhere has a build id or none, and is never a trap")
    func survivesTruncatedFiles() throws {
        let directory = TemporaryDirectory()
        let whole = OwnCode.elf(buildID: [1, 2, 3, 4])
        for length in 0..<whole.count {
            let path = directory.appending("elf-\(length)")
            #expect(FileManager.default.createFile(atPath: path, contents: Data(whole.prefix(length))))
            #expect(BuildID.ofFile(at: path) == nil)
        }
        #expect(BuildID.ofFile(at: directory.appending("nothing")) == nil)
    }

    @Test("The excerpt of a stack has the program's own frames only")
    func skipsTheTracer() {
        func frame(_ image: String, _ symbol: String?) -> StackFrame {
            StackFrame(address: 1, image: image, offset: 1, symbol: symbol)
        }
        let tracer = [
            frame("/srv/News", "qs_capture_stack"), frame("/srv/News", "Queuescope.TracedQueue.setTarget() -> ()"),
            frame("/srv/News", "static Queuescope.CallStack.capture() -> ()"),
            frame("/usr/lib/libdispatch.so", "_dispatch_call"), frame("/usr/lib/libdispatch.so", nil),
        ]
        let own = [
            frame("/srv/News", "News.Connection.open() -> ()"), frame("/srv/News", nil), frame("/srv/News", "main"),
        ]
        #expect(StackExcerpt.of(tracer + own, limit: 2) == Array(own.prefix(2)))
        #expect(StackExcerpt.of(tracer, limit: 3) == Array(tracer.prefix(3)))
    }

    @Test(
        "Symbols are shown as people write them",
        arguments: [
            ("News.Connection.open() -> ()", "Connection.open()"),
            ("News.Store.find(News.Key, limit: Swift.Int) throws -> [News.Item]", "Store.find(_:limit:)"),
            (
                "News.Store.init(load: (Swift.Int) -> Swift.Bool, of: (a: Swift.Int, b: Swift.Int)) -> News.Store",
                "Store.init(load:of:)"
            ),
            ("News.map<A, B>(_: [A: B], by: (A) -> B) -> [B]", "map<A, B>(_:by:)"),
            ("News.Store.(secret in _E5ABB9)(for: Swift.Int) -> ()", "Store.secret(for:)"),
            (
                "closure #1 @Sendable (News.Socket) -> () in News.Server.init(queue: News.Queue) throws -> News.Server",
                "closure #1 in Server.init(queue:)"
            ),
            ("static News.Main.run() -> ()", "static Main.run()"), ("main", "main"), ("qs_new_item", "qs_new_item"),
            ("std::vector<int>::size(unsigned long) const", "std::vector<int>::size(_:)"), ("", ""), ("(", "("),
            ("News.value.getter : Swift.Int", "News.value.getter : Swift.Int"),
        ])
    func shortensSymbols(symbol: String, expected: String) {
        #expect(SymbolText.brief(symbol) == expected)
    }

    @Test("Swift names are demangled, others are left alone")
    func demangles() {
        #expect(Demangler.demangled("$s4News10ConnectionC4openyyF") == "News.Connection.open() -> ()")
        #expect(Demangler.demangled("qs_new_item") == nil)
        #expect(Demangler.demangled("$snonsense") == nil)
    }
}
