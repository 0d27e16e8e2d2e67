import Glibc

/// Limits the memory that reading an input may use.
enum MemoryBound {
    /// Memory that reading may use for an input of any size, in KiB.
    private static let base = 64 << 10

    /// Runs `body`, and traps if it used more than 64 MiB plus 4 times the input's size.
    static func check(inputBytes: Int, _ body: () -> Void) {
        // Writing 5 resets the peak to the current use, see proc(5).
        let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        if descriptor >= 0 {
            _ = write(descriptor, "5", 1)
            close(descriptor)
        }
        let before = peak()
        body()
        let taken = peak() - before
        let bound = base + 4 * inputBytes / 1024
        guard taken > bound else { return }
        fatalError("an input of \(inputBytes) bytes took \(taken) KiB, more than \(bound)")
    }

    /// Peak of the memory in use since the reset, in KiB.
    private static func peak() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, CInt(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}
