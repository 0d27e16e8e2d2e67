import CTFReader
import DispatchModel
import FoundationEssentials
import Symbolication

/// The executable and the libraries of a process.
struct ProcessImages {
    /// A file that is mapped as code.
    struct Loaded {
        /// Where the file can be read from here. Empty when the file was removed.
        let image: Image
        /// The path in the file system of the process.
        let path: String
        /// Address in memory of the first byte of the file.
        let begin: UInt64

        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    /// Sorted by address.
    let loaded: [Loaded]

    /// The program headers and the build id are in the first page.
    private static let headSize = 4096

    /// - Parameters:
    ///   - process: the process with its mappings.
    ///   - memory: its memory.
    init(of process: any InspectedProcess, memory: ProcessMemory) {
        var loaded: [Loaded] = []
        var current: (first: Mapping, end: UInt64, hasCode: Bool)?
        func finish() {
            // A program can also map the file of a library as data.
            guard let (first, end, hasCode) = current, hasCode else { return }
            if let image = Self.image(first, end: end, memory: memory, of: process) { loaded.append(image) }
        }
        // A file is mapped in parts, which begin with offset 0 and follow each other.
        for mapping in process.maps.mappings where Self.canBeImage(mapping) {
            if mapping.offset != 0, let open = current, open.first.path == mapping.path {
                current = (open.first, mapping.range.upperBound, open.hasCode || mapping.isExecutable)
            } else if mapping.offset == 0 {
                finish()
                current = (mapping, mapping.range.upperBound, mapping.isExecutable)
            }
        }
        finish()
        self.loaded = loaded
    }

    private static func canBeImage(_ mapping: Mapping) -> Bool { mapping.isFile || mapping.path == "[vdso]" }

    private static func image(
        _ first: Mapping, end: UInt64, memory: ProcessMemory, of process: any InspectedProcess
    ) -> Loaded? {
        let begin = first.range.lowerBound
        let head = Data(memory.bytes(at: begin, count: headSize))
        guard let file = ELFFile(head), let bias = ProgramHeaders(head)?.bias(loadedAt: begin) else { return nil }
        let image = Image(
            base: bias, begin: begin, end: end, buildID: file.buildID ?? "", path: process.file(of: first))
        return Loaded(image: image, path: first.path, begin: begin)
    }

    /// The image that contains an address; nil when there is none.
    func image(holding address: UInt64) -> Loaded? {
        let next = loaded.partitioningIndex { $0.begin > address }
        return next > 0 && address < loaded[next - 1].image.end ? loaded[next - 1] : nil
    }

    /// The images whose file name begins with a text.
    func named(_ prefix: String) -> [Loaded] { loaded.filter { $0.name.hasPrefix(prefix) } }

    var table: SymbolTable { SymbolTable(images: loaded.map(\.image)) }
}

/// The program headers of an ELF file in memory, as much as the unwinder needs.
struct ProgramHeaders {
    /// A segment: its type and its address in the file.
    private struct Segment {
        let type: UInt32
        let address: UInt64
        let offset: UInt64
        let size: UInt64
        let flags: UInt32
    }

    private static let load: UInt32 = 1
    private static let interpreter: UInt32 = 3
    private static let executable: UInt32 = 1
    private static let unwindIndex: UInt32 = 0x6474_E550
    private let segments: [Segment]

    /// Reads the headers from the first page of a file; nil when they are not in it.
    init?(_ head: Data) {
        let bytes = [UInt8](head)
        func integer<Value: FixedWidthInteger>(_ offset: Int, _ type: Value.Type) -> Value? {
            guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return nil }
            return bytes.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
        }
        guard let table = integer(32, UInt64.self), let size = integer(54, UInt16.self),
            let count = integer(56, UInt16.self), table < UInt64(bytes.count)
        else { return nil }
        segments = (0..<Int(count)).compactMap { number in
            let entry = Int(table) + number * Int(size)
            guard let type = integer(entry, UInt32.self), let offset = integer(entry + 8, UInt64.self),
                let address = integer(entry + 16, UInt64.self), let size = integer(entry + 40, UInt64.self),
                let flags = integer(entry + 4, UInt32.self)
            else { return nil }
            return Segment(type: type, address: address, offset: offset, size: size, flags: flags)
        }
        guard !segments.isEmpty else { return nil }
    }

    /// Address in memory minus address in the file, for a file whose first byte is at `begin`.
    func bias(loadedAt begin: UInt64) -> UInt64? {
        segments.first { $0.type == Self.load }.map { begin &+ $0.offset &- $0.address }
    }

    /// Whether a segment with code begins in a range of the file.
    func hasCode(in range: Range<UInt64>) -> Bool {
        segments.contains { $0.type == Self.load && $0.flags & Self.executable != 0 && range.contains($0.offset) }
    }

    /// The address in the file of the path of the dynamic linker; nil for a file without one.
    var interpreter: UInt64? { segments.first { $0.type == Self.interpreter }.map(\.address) }

    /// The address in the file of `.eh_frame_hdr`, the index of the unwind tables, and its size.
    var unwindIndex: (address: UInt64, size: UInt64)? {
        segments.first { $0.type == Self.unwindIndex }.map { ($0.address, $0.size) }
    }
}
