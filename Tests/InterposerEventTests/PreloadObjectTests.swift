import Foundation
import TestSupport
import Testing

@Suite("The preload object")
struct PreloadObjectTests {
    private static let object = Program.built("queuescope_CPreloadObject.resources/libqueuescope_preload.so").path

    /// The output of a tool of binutils, or of LLVM's tool with the same name, for the object.
    private func inspect(_ tool: String, _ arguments: String...) throws -> [Substring] {
        let program = try #require(Program.installed(tool) ?? Program.installed("llvm-\(tool)"))
        let result = try program.run(arguments + [Self.object])
        try #require(result.status == 0, "\(result.errors)")
        return result.lines
    }

    @Test("needs libc and nothing else")
    func needs() throws {
        let needed = try inspect("readelf", "-d").filter { $0.contains("(NEEDED)") }
        #expect(needed.count == 1)
        #expect(needed.allSatisfy { $0.contains("[libc.so.6]") }, "\(needed)")
    }

    /// Lazy binding would run the loader inside hooks, on stacks that may be small, and in signal handlers.
    @Test("binds all functions when it is loaded")
    func binding() throws {
        let flags = try inspect("readelf", "-d").filter { $0.contains("(FLAGS") }
        #expect(flags.contains { $0.contains("NOW") }, "\(flags)")
    }

    /// The hooks are reached through slots, and only during a session.
    @Test("exports no hook that a program calls often")
    func exports() throws {
        let symbols = try inspect("nm", "-D", "--defined-only").compactMap { $0.split(separator: " ").last }
        #expect(Set(symbols) == ["__register_atfork", "prctl", "pthread_key_create", "qs_attach", "syscall"])
    }

    /// glibc reserves 1,664 bytes for objects that are opened late.
    @Test("has at most 1,600 bytes of thread-local storage, so that it can be opened late")
    func threadLocalStorage() throws {
        let segment = try #require(try inspect("readelf", "-l", "-W").first { $0.contains("  TLS ") })
        let size = try #require(segment.split(separator: " ").dropFirst(5).first)
        let bytes = try #require(Int(size.dropFirst(2), radix: 16))
        #expect(bytes > 0 && bytes <= 1600)
    }

    @Test("loads with every glibc since 2.26, the oldest that Swift supports")
    func oldGlibc() throws {
        let strong = try inspect("readelf", "--dyn-syms", "-W").filter {
            $0.contains(" UND ") && !$0.contains(" WEAK ")
        }
        let versions = strong.compactMap { $0.firstMatch(of: /@GLIBC_2\.([0-9]+)/).flatMap { Int($0.output.1) } }
        #expect(versions.count > 20)
        let newest = try #require(versions.max())
        #expect(newest <= 26, "\(strong.filter { $0.contains("@GLIBC_2.\(newest)") })")
    }

    @Test("does not move: it is not linked against a path of the machine that built it")
    func runPath() throws {
        #expect(try inspect("readelf", "-d").allSatisfy { !$0.contains("RPATH") && !$0.contains("RUNPATH") })
    }
}
