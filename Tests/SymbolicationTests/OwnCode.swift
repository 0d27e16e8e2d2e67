import CTFReader
import DispatchModel
import Foundation

/// Code, images and files for tests of symbol lookup.
enum OwnCode {
    /// The return addresses of this function and of its callers.
    @inline(never)
    static func stack() -> Set<UInt64> { Set(Thread.callStackReturnAddresses.map(\.uint64Value)) }

    /// The function of a closure that is passed to Dispatch, and the thunk that calls it, as a recorder reads them.
    ///
    /// A block is (isa, flags, invoke, descriptor, captured …). The block of a Swift closure captures the closure.
    @inline(never)
    static func closure(capturing value: Int) -> (function: UInt64, thunk: UInt64) {
        let closure: @convention(block) () -> Void = { kept = value }
        return withExtendedLifetime(closure) {
            let words = unsafeBitCast(closure, to: UnsafePointer<UInt64>.self)
            return (words[4], words[2])
        }
    }

    nonisolated(unsafe) private static var kept = 0

    /// The address of ``ownFunction(_:)``.
    static var function: UInt64 {
        let function: @convention(c) (Int32) -> Int32 = ownFunction
        return unsafeBitCast(function, to: UInt64.self)
    }

    /// The image of this test's executable, as a recorder would describe it.
    static func image(buildID: String) throws -> Image {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let maps = ProcFile.text("/proc/self/maps") ?? ""
        let ranges = maps.split(separator: "\n").filter { $0.hasSuffix(path) }.compactMap { line -> Range<UInt64>? in
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
            return ends.count == 2 ? ends[0]..<ends[1] : nil
        }
        guard let first = ranges.first, let last = ranges.last else { throw CocoaError(.fileReadUnknown) }
        // A position-independent executable begins at address 0 of its file.
        return Image(
            base: first.lowerBound, begin: first.lowerBound, end: last.upperBound, buildID: buildID, path: path)
    }

    /// The smallest ELF file with a build id: header, one program header, one note.
    static func elf(buildID: [UInt8]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        let padded = buildID + [UInt8](repeating: 0, count: (4 - buildID.count % 4) % 4)
        let note = little(4, 4) + little(buildID.count, 4) + little(3, 4) + [0x47, 0x4E, 0x55, 0] + padded
        let identity: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
        let header =
            identity + little(3, 2) + little(62, 2) + little(1, 4) + little(0, 8) + little(64, 8) + little(0, 8)
            + little(0, 4) + little(64, 2) + little(56, 2) + little(1, 2) + little(0, 6)
        let program =
            little(4, 4) + little(4, 4) + little(120, 8) + little(0, 16) + little(note.count, 8) + little(note.count, 8)
            + little(4, 8)
        return header + program + note
    }
}

/// A function with the C calling convention.
@_cdecl("queuescope_own_function")
func ownFunction(_ number: Int32) -> Int32 { number + 1 }
