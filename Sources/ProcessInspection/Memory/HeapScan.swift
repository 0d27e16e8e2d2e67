import Glibc

/// Finds words in the writable memory of a process: objects by the address of their class, and references to objects.
///
/// Pages that are not in memory are not read (``InspectedProcess/presentRuns(of:)``).
struct HeapScan {
    /// The limits of a scan.
    struct Limits {
        var bytes = 4 << 30
        var seconds = 10.0
        /// Most words that are returned.
        var hits = 1 << 20
    }

    struct Result {
        /// The addresses of the words, by their value.
        var places: [UInt64: [UInt64]] = [:]
        var bytes = 0
        /// Whether a limit ended the scan, so that objects can be missing.
        var isIncomplete = false
    }

    private static let chunk = 1 << 20

    let process: any InspectedProcess
    let memory: ProcessMemory
    var limits = Limits()

    /// Finds all aligned words with one of some values.
    func places(of values: Set<UInt64>) -> Result {
        var result = Result()
        guard let lowest = values.min(), let highest = values.max() else { return result }
        let begin = Self.now()
        var hits = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer { buffer.deallocate() }
        for mapping in process.maps.mappings where Self.holdsObjects(mapping) {
            for run in process.presentRuns(of: mapping.range) {
                var address = run.lowerBound
                while address < run.upperBound {
                    guard result.bytes < limits.bytes, hits < limits.hits, Self.now() - begin < limits.seconds else {
                        result.isIncomplete = true
                        return result
                    }
                    let wanted = Int(min(UInt64(Self.chunk), run.upperBound - address))
                    let count = memory.read(
                        at: address, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
                    guard count > 0 else { break }
                    let words = UnsafeRawBufferPointer(rebasing: buffer[..<(count & ~7)]).bindMemory(to: UInt64.self)
                    for index in words.indices {
                        let value = words[index]
                        guard value >= lowest, value <= highest, values.contains(value) else { continue }
                        result.places[value, default: []].append(address &+ UInt64(index) &* 8)
                        hits += 1
                    }
                    result.bytes += count
                    address += UInt64(count)
                }
            }
        }
        return result
    }

    private static func holdsObjects(_ mapping: Mapping) -> Bool {
        guard mapping.isReadable, mapping.isWritable else { return false }
        // Devices are not memory, and a read of them can have an effect. A shared memory segment has no objects of the
        // heap, but it can be large, such as the memory of Queuescope's recorder.
        return mapping.path.isEmpty || mapping.path == "[heap]" || mapping.path.hasPrefix("[anon")
            || mapping.isFile && !mapping.path.hasPrefix("/dev/") && !mapping.path.hasPrefix("/SYSV")
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
