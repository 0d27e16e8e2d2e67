import DispatchModel
import Foundation
import TestSupport
import Testing

@testable import Symbolication

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

    @Test(
        "Frames of a file without symbols, and of no file, are image and offset",
        arguments: ["/dev/null", "/nowhere/sh"])
    func worksWithoutSymbols(path: String) {
        let here = Image(base: 0x1000, begin: 0x2000, end: 0x3000, buildID: "", path: path)
        let table = Symbolizer().symbols(for: [0x2345], in: [here])
        #expect(table.frames(at: 0x2345)[0].description == "\(here.name ?? "")+0x1345")
    }

    @Test(
        "The part of a function behind an await is recognized by its name",
        arguments: [
            ("f", false), ("$s2aw6handleyyYaF", false), ("$s2aw6handleyyYaFTY2_", true),
            ("$s2aw6handleyyYaFTQ0_", true), ("$s2aw6handleyyYaFTY_", true), ("$s2aw1_", false), ("not_TY", false),
        ])
    func behindAnAwait(function: String, isAfterAwait: Bool) {
        #expect(SymbolFile.isAfterAwait(function) == isAfterAwait)
    }

    @Test("In brief reports, library frames are looked up only for stacks without other frames")
    func asksInBrief() {
        let images = [
            Image(base: 0x1000, begin: 0x2000, end: 0x3000, buildID: "00ff", path: "/bin/app"),
            Image(base: 0x8000, begin: 0x8000, end: 0x9000, buildID: "01ff", path: "/lib/libc.so.6"),
        ]
        let stacks: [[UInt64]] = [[0x8100, 0x2345], [0x8200]]
        let sources = SymbolSources(stored: [
            .init(images[0]): ImageNames(functions: [0x1344: "f"]),
            .init(images[1]): ImageNames(functions: [0xFF: "read", 0x1FF: "write"]),
        ])
        let table = Symbolizer(sources).symbols(for: Set(stacks.joined()), shownOf: stacks, in: images)
        #expect(table.frames(of: stacks[0]).map(\.symbol) == [nil, "f"])
        #expect(table.frames(of: stacks[1]).map(\.symbol) == ["write"])
    }

    @Test("A file with another build id than the recorded one is not read")
    func refusesAnotherBuild() throws {
        let stack = OwnCode.stack()
        let table = try Symbolizer().symbols(for: stack, in: [OwnCode.image(buildID: "00ff")])
        #expect(stack.flatMap(table.frames(at:)).allSatisfy { $0.symbol == nil })
    }

    @Test("Code of a Swift program becomes functions with file and line")
    func symbolizesSwift() throws {
        let stack = OwnCode.stack()
        let table = try Symbolizer().symbols(for: stack, in: [OwnCode.image(buildID: "")])
        let frames = stack.flatMap(table.frames(at:)).filter { $0.symbol?.contains("OwnCode.stack()") == true }
        #expect(frames.contains { $0.file?.hasSuffix("OwnCode.swift") == true && ($0.line ?? 0) > 0 })
    }

    @Test("The first byte of a function has the name of that function")
    func symbolizesFunctions() throws {
        let table = try Symbolizer().symbols(for: [], functions: [OwnCode.function], in: [OwnCode.image(buildID: "")])
        let symbols = table.frames(at: OwnCode.function).compactMap(\.symbol)
        #expect(symbols.contains { $0.contains("ownFunction") || $0.contains("own_function") }, "\(symbols)")
    }

    @Test("Copies of Swift library functions in a program are recognized by the symbols of its file")
    func findsCopies() throws {
        let image = try OwnCode.image(buildID: "")
        // A mangled name contains `ManagedBuffer` in full, and one letter for `Array`.
        let prefixes = ["$ss", "$sSa"].map { Array($0.utf8) }
        let symbols = try #require(ELFFile(path: image.path)).functions { name in
            name.count < 200 && prefixes.contains { name.starts(with: $0) }
        }
        let copies = symbols.filter {
            guard let name = Demangler.demangled($0.name) else { return false }
            return name.hasPrefix("generic specialization") && name.contains("> of Swift.") || name.hasPrefix("Swift.")
        }
        for prefix in ["$ss", "$sSa"] { #expect(copies.contains { $0.name.hasPrefix(prefix) }, "\(prefix)") }
        let functions = ImageFunctions()
        for symbol in copies where symbol.size > 0 {
            #expect(functions.isCopied(symbol.address &+ image.base, in: image), "\(symbol.name)")
        }
        #expect(!functions.isCopied(OwnCode.function, in: image))
        let other = Image(base: image.base, begin: image.begin, end: image.end, buildID: "00ff", path: image.path)
        let others = ImageFunctions()
        #expect(!copies.contains { others.isCopied($0.address &+ other.base, in: other) })
    }

    @Test("A closure with captures is found through its forwarder")
    func findsForwarders() throws {
        let image = try OwnCode.image(buildID: "")
        let functions = ImageFunctions()
        let closure = OwnCode.closure(capturing: 1)
        #expect(functions.forwardedClosure(closure.function, in: image)?.contains("OwnCode") == true)
        #expect(functions.forwardedClosure(closure.function &+ 1, in: image) == nil, "a call site in the forwarder")
        #expect(functions.forwardedClosure(closure.thunk, in: image) == nil)
        #expect(functions.forwardedClosure(OwnCode.function, in: image) == nil)
    }

    @Test(
        "Functions that only take a lock are recognized by name",
        arguments: [
            ("$s21NIOConcurrencyHelpers7NIOLockV4lockyyF", true),
            ("$s3App9ProtectedV8withLockyqd__qd__xzKXEKlF", true), ("$s3App5BanksV4lockyyF", false),
            ("$s3App9FairMutexV4lockyyF", true), ("$s3App14ConnectionPoolV7acquireyyF", false),
            ("$s3App12synchronizedyyyyXEF", true),
            ("$s3App5BanksV11lockAccountyyF", false), ("$s3App5BanksV7depositSiyF", false),
            ("$s3App9ProtectedV8withLockyqd__qd__xzKXEKlFyyXEfU_", true),
            ("$s3App5BanksV7depositSiyFyyXEfU_", false), ("_ZNSt5mutex4lockEv", true),
            ("_ZNSt10lock_guardISt5mutexEC2ERS0_", true), ("_ZN4Bank7depositERSt11unique_lockISt5mutexE", false),
            ("_ZL20__gthread_mutex_lockP15pthread_mutex_t", true), ("sqlite3_mutex_enter", true),
            ("pthreadMutexEnter", true), ("blocking_read", false),
            ("app_mutex_lock.constprop.0", true), ("block_acquire", false),
        ])
    func lockFunctions(symbol: String, takesLock: Bool) {
        #expect(LockFunctions.contains(symbol) == takesLock)
    }

    @Test(
        "Functions that only create a continuation are recognized by name",
        arguments: [
            ("$s7NIOCore33withNIOUnsafeThrowingContinuation9isolation_xScA_pSgYi_ySccyxs5Error_pGXEtYaKlFTQ0_", true),
            ("$s3App16withContinuationyyyScCyyts5NeverOGXEYaF", true), ("$s3App4loadyyYaF", false),
            ("$s3App22withContinuationAndLogyyYaF", false), ("main", false),
        ])
    func continuationFunctions(symbol: String, makesContinuation: Bool) {
        #expect(ImageFunctions.makesContinuation(symbol) == makesContinuation)
    }

    @Test("The build id of an ELF file is read from its notes")
    func readsBuildIDs() throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("elf")
        #expect(FileManager.default.createFile(atPath: path, contents: Data(OwnCode.elf(buildID: [0xAB, 0x01, 0xFF]))))
        #expect(ELFFile(path: path)?.buildID == "ab01ff")
    }

    @Test("A file truncated at any byte has a build id or none, and does not crash")
    func survivesTruncatedFiles() throws {
        let directory = TemporaryDirectory()
        let whole = OwnCode.elf(buildID: [1, 2, 3, 4])
        for length in 0..<whole.count {
            let path = directory.appending("elf-\(length)")
            #expect(FileManager.default.createFile(atPath: path, contents: Data(whole.prefix(length))))
            #expect(ELFFile(path: path)?.buildID == nil)
        }
        #expect(ELFFile(path: directory.appending("nothing"))?.buildID == nil)
    }

    @Test("Swift names are demangled, other names are not changed")
    func demangles() {
        #expect(Demangler.demangled("$s4News10ConnectionC4openyyF") == "News.Connection.open() -> ()")
        #expect(Demangler.demangled("qs_new_item") == nil)
        #expect(Demangler.demangled("$snonsense") == nil)
    }

    @Test(
        "A file that SwiftPM fetched belongs to its package",
        arguments: [
            ("/build/.build/checkouts/swift-nio/Sources/NIOPosix/Selector.swift", "swift-nio"),
            ("/srv/News/Sources/News/main.swift", nil), ("/srv/checkouts/main.swift", nil), ("main.swift", nil),
        ])
    func packages(path: String, package: String?) { #expect(CodeNames.package(of: path) == package) }
}

extension ImageNames {
    /// Functions without files, by their addresses in the file.
    init(functions: [UInt64: String]) {
        self.init(places: functions.mapValues { [.init(function: $0, file: nil, line: nil)] })
    }
}
