import Foundation
import TestSupport
import Testing

@testable import DispatchModel
@testable import Symbolication

@Suite struct CodeNamingTests {
    private func model(_ codes: [Code], images: [Image]) -> DispatchModel {
        let model = DispatchModel()
        model.codes += codes
        model.images = images
        return model
    }

    private func code(_ address: UInt64, thunk: UInt64 = 0) -> Code {
        Code(symbol: "", file: "", line: 0, address: address, thunk: thunk)
    }

    /// The name of code of this test.
    private func named(_ code: Code) throws -> Code {
        let model = model([code], images: [try OwnCode.image(buildID: "")])
        #expect(Symbolizer().nameCode(of: model) == [])
        return model.codes[1]
    }

    @Test(
        "A Swift closure has its own name, file and line, not the name of its thunk or forwarder")
    func closure() throws {
        let closure = OwnCode.closure(capturing: 7)
        let name = try named(code(closure.function, thunk: closure.thunk))
        #expect(name.symbol == "closure #1 in static OwnCode.closure(capturing:)")
        #expect(name.file == "SymbolicationTests/OwnCode.swift" && name.line > 0)
        #expect(name.address == closure.function)
    }

    @Test(
        "The first captured value of a block is not its code when the block does not call a thunk")
    func notAThunk() throws {
        let closure = OwnCode.closure(capturing: 7)
        let name = try named(code(closure.function, thunk: OwnCode.function))
        #expect(name.symbol == "queuescope_own_function")
    }

    @Test("Without symbols, a caller of different closures, or of the program from a library, is a thunk")
    func bareThunks() {
        let images = [
            Image(base: 0x1000, begin: 0x1000, end: 0x9000, buildID: "", path: "/nowhere/app"),
            Image(base: 0x10000, begin: 0x10000, end: 0x19000, buildID: "", path: "/nowhere/libswiftDispatch.so"),
        ]
        let codes = [
            code(0x1100, thunk: 0x2000), code(0x1200, thunk: 0x2000), code(0x1300, thunk: 0x3000),
            code(0x1400, thunk: 0x11000), code(0x1500),
        ]
        let model = model(codes, images: images)
        _ = Symbolizer().nameCode(of: model)
        #expect(
            model.codes.dropFirst().map(\.symbol) == [
                "app+0x100", "app+0x200", "app+0x2000", "app+0x400", "app+0x500",
            ])
    }

    @Test("A call site has the name of the calling function")
    func callSite() throws {
        let image = try OwnCode.image(buildID: "")
        let codes = OwnCode.stack().filter { image.begin <= $0 && $0 < image.end }.map { code($0) }
        let model = model(codes, images: [image])
        _ = Symbolizer().nameCode(of: model)
        #expect(model.codes.contains { $0.symbol == "static OwnCode.stack()" && $0.line > 0 })
    }

    @Test("A call site in inlined functions belongs to the innermost function of the program")
    func inlinedCallSite() {
        func place(_ function: String, _ file: String? = nil, _ line: Int? = nil) -> SymbolSearch.Place {
            .init(function: function, file: file, line: line)
        }
        let made = place("$s8Dispatch0A9SemaphoreC5valueACSi_tcfC")
        let copied = place("$sSaMa", "Array.swift", 3)
        let load = place("$s1d5StoreC4loadyyF", "d.swift", 6)
        let main = place("$s1d3AppV4mainyyYaFZ", "d.swift", 14)
        #expect(CodeNames.caller(in: [made, load, main])?.function == load.function)
        #expect(
            CodeNames.caller(in: [place("$s8Dispatch0A9SemaphoreC4waityyF", "Semaphore.swift", 7), load])?.line == 6)
        #expect(CodeNames.caller(in: [copied])?.function == copied.function)
        #expect(CodeNames.caller(in: [made])?.function == made.function)
        #expect(CodeNames.caller(in: []) == nil)
    }

    @Test("Code without a file belongs to the package of its module")
    func packageOfModule() {
        let image = Image(base: 0x1000, begin: 0x2000, end: 0x3000, buildID: "00ff", path: "/bin/app")
        func places(_ function: String, _ file: String? = nil) -> [SymbolSearch.Place] {
            [.init(function: function, file: file, line: file.map { _ in 3 })]
        }
        let fetch = places("$s4News5fetchyyF", "/b/checkouts/news-kit/Sources/News/Fetch.swift")
        let names = ImageNames(places: [
            0x1480: fetch, 0x147F: fetch, 0x1580: places("$s4News5drainyyF"), 0x157F: places("$s4News5drainyyF"),
            0x1680: places("$s3App5drainyyF"), 0x167F: places("$s3App5drainyyF"),
        ])
        let model = model([code(0x2580), code(0x2480), code(0x2680)], images: [image])
        #expect(Symbolizer(SymbolSources(stored: [.init(image): names])).nameCode(of: model) == [])
        #expect(model.codes.dropFirst().map(\.symbol) == ["drain()", "fetch()", "drain()"])
        #expect(model.codes.dropFirst().map(\.package) == ["news-kit", "news-kit", nil])
    }

    @Test("The name of merged functions without a line says that they are merged")
    func merged() {
        let image = Image(base: 0x1000, begin: 0x2000, end: 0x3000, buildID: "00ff", path: "/bin/app")
        func places(_ function: String, line: Int? = nil) -> [SymbolSearch.Place] {
            [.init(function: function, file: line.map { _ in "/b/Store.swift" }, line: line)]
        }
        let names = ImageNames(places: [
            0x1480: places("$s4News5drainyyFTm"), 0x147F: places("$s4News5drainyyFTm"),
            0x1580: places("$s4News5drainyyFTm", line: 7), 0x157F: places("$s4News5drainyyFTm", line: 7),
            0x1680: places("$s4News5drainyyF"), 0x167F: places("$s4News5drainyyF"),
        ])
        let model = model([code(0x2480), code(0x2580), code(0x2680)], images: [image])
        #expect(Symbolizer(SymbolSources(stored: [.init(image): names])).nameCode(of: model) == [])
        #expect(model.codes.dropFirst().map(\.symbol) == ["drain() (merged)", "drain()", "drain()"])
    }

    @Test("A function that resumes after an await in an inlined function has the name and line of the await")
    func inlinedAwait() {
        let image = Image(base: 0x1000, begin: 0x2000, end: 0x3000, buildID: "00ff", path: "/bin/app")
        func place(_ function: String, _ line: Int?) -> SymbolSearch.Place {
            .init(function: function, file: line.map { _ in "/b/dock.swift" }, line: line)
        }
        let maker = place(
            "$ss31withCheckedThrowingContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5Error_pGXEtYaKlFSS_Tg5", 7)
        let resume = "$s4dock4loopyyYaFTQ1_"
        let other = "$s4dock4idleyyYaFTQ1_"
        let names = ImageNames(places: [
            0x1480: [place(resume, 69)],
            0x148C: [maker, place("$s4dock7ScannerC7readingSSyYaF", 25), place(resume, 70)],
            // The await of this function is in the function itself.
            0x1580: [place(other, 80)], 0x1584: [maker, place(other, 81)],
            // A later function is not part of it.
            0x1680: [place("$s4dock4restyyYaFTQ1_", 90)], 0x1690: [maker, place(resume, 70)],
        ])
        let model = model([code(0x2480), code(0x2580), code(0x2680)], images: [image])
        model.continuationAwaiters = [CodeIndex(1), CodeIndex(2), CodeIndex(3)]
        let symbolizer = Symbolizer(SymbolSources(stored: [.init(image): names]))
        #expect(symbolizer.nameCode(of: model) == [])
        #expect(model.codes.dropFirst().map(\.symbol) == ["Scanner.reading()", "idle()", "rest()"])
        #expect(model.codes.dropFirst().map(\.line) == [25, 80, 90])
        // Another task that resumes in this function did not await a continuation.
        let others = self.model([code(0x2480)], images: [image])
        #expect(symbolizer.nameCode(of: others) == [])
        #expect(others.codes.dropFirst().map(\.symbol) == ["loop()"])
    }

    @Test("Code that has a name or a call site keeps it")
    func keepsNames() {
        let codes = [
            Code(symbol: "work", file: "", line: 0, address: 0x1234),
            Code(symbol: "", file: "App/Main.swift", line: 3, address: 0),
        ]
        let model = model(codes, images: [])
        #expect(Symbolizer().nameCode(of: model) == [])
        #expect(model.codes == [.unknown] + codes)
    }

    @Test("Code of a missing file or another build is module and offset, with one hint about the reason")
    func hints() throws {
        let missing = Image(base: 0x1000, begin: 0x1000, end: 0x9000, buildID: "", path: "/nowhere/libnews.so")
        let model = model([code(0x2345), code(0x2400)], images: [missing])
        let hint = Symbolizer().nameCode(of: model)
        #expect(model.codes.dropFirst().map(\.description) == ["libnews.so+0x1345", "libnews.so+0x1400"])
        #expect(hint.count == 1)
        #expect(hint.first?.contains("/nowhere/libnews.so is shown as module and offset: copy the recorded") == true)
        #expect(hint.first?.contains("--symbols") == true)

        let other = self.model([code(OwnCode.function)], images: [try OwnCode.image(buildID: "00ff")])
        #expect(Symbolizer().nameCode(of: other).first?.contains("is not the recorded build") == true)
    }

    @Test("One address without a name in a binary with names gives no hint")
    func oneNameless() {
        let image = Image(base: 0x1000, begin: 0x1000, end: 0x9000, buildID: "", path: "/srv/app")
        #expect(CodeNames.hint([(image, nil)], readable: [])?.contains("it has no symbols") == true)
        #expect(CodeNames.hint([(image, nil)], readable: ["/srv/app"]) == nil)
        #expect(CodeNames.hint([(image, .missing)], readable: ["/srv/app"]) != nil)
    }

    @Test(
        "The symbol of a forwarder identifies the closure, also for copies by LLVM",
        arguments: [
            ("$s3App4workyyFyycfU_TA", "$s3App4workyyFyycfU_"), ("$s3App4workyyFyycfU_TA.21", "$s3App4workyyFyycfU_"),
            ("$s3App4workyyFyycfU_", nil), ("workTA", nil), ("", nil), ("$s3App4workyyFyycfU_TA.cold", nil),
        ])
    func forwarders(symbol: String, closure: String?) {
        #expect(CodeNames.closure(ofForwarder: symbol) == closure)
    }

    @Test(
        "The symbol of a thunk that the compiler specialized for a closure contains the closure",
        arguments: [
            (
                "$sxIegHr_xs5Error_pIegHrzo_s8SendableRzs5NeverORs_r0_lTRSi_TG517$s5namesSiyYacfU_Tf3npf_n",
                "$s5namesSiyYacfU_"
            ),
            ("$sxIegHr_xs5Error_pIegHrzo_s8SendableRzs5NeverORs_r0_lTRSi_TG5", nil), ("$s3App4workyyF", nil),
            ("$s3App4work17$s", nil), ("17$s5namesSiyYacfU_", nil), ("", nil),
        ])
    func specializedThunks(symbol: String, closure: String?) {
        #expect(CodeNames.closure(ofThunk: symbol) == closure)
    }

    @Test("Functions of an ELF file are found by name, and a truncated file has none")
    func symbolTable() throws {
        let path = try OwnCode.image(buildID: "").path
        let names: Set = ["queuescope_own_function", "queuescope_no_such_function"]
        let found = try #require(ELFFile(path: path)).functions(named: names)
        #expect(found.keys.sorted() == ["queuescope_own_function"])
        #expect((found["queuescope_own_function"]?.size ?? 0) > 0)

        let directory = TemporaryDirectory()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped).prefix(4_096)
        for length in [0, 3, 40, 63, 64, 4_096] {
            let cut = directory.appending("elf-\(length)")
            #expect(FileManager.default.createFile(atPath: cut, contents: whole.prefix(length)))
            #expect(ELFFile(path: cut)?.functions(named: names).isEmpty ?? true)
        }
        #expect(ELFFile(path: "/nowhere") == nil)
    }
}
