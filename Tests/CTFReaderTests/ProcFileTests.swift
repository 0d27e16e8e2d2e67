import CTFReader
import Foundation
import TestSupport
import Testing

@Suite("Files of the kernel") struct ProcFileTests {
    @Test("A file that is longer than one read is complete")
    func isComplete() throws {
        let maps = try #require(ProcFile.text("/proc/self/maps"))
        // The kernel returns at most one page of the mappings at a time.
        #expect(maps.utf8.count > sysconf(Int32(_SC_PAGESIZE)))
        #expect(maps.hasSuffix("\n") && maps.contains("[stack]"))
    }

    @Test("A file that does not exist has no text")
    func missing() {
        #expect(ProcFile.text("/proc/none") == nil)
        #expect(ProcFile.numbers(in: "/proc/none").isEmpty)
    }

    @Test("No source reads them with Foundation, which stops at the first incomplete read")
    func foundation() throws {
        let reading = /(?:contentsOfFile: |contents\(atPath: |fileURLWithPath: )"\/(?:proc|sys)\/(?!self\/exe)/
        for folder in ["Sources", "Tests"] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: "\(Package.root)/\(folder)")
            // The traced programs cannot link the reader.
            for name in names where name.hasSuffix(".swift") && !name.contains("TracedPrograms/") {
                let text = try String(contentsOfFile: "\(Package.root)/\(folder)/\(name)", encoding: .utf8)
                #expect(!text.contains(reading), "\(folder)/\(name)")
            }
        }
    }
}
