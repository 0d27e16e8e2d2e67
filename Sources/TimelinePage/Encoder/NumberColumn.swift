/// Encodes a column of numbers so that a browser decodes it without a branch per byte: with a fixed width, or as runs
/// of equal neighbours. ``TimelineFormat`` describes the bytes.
struct NumberColumn {
    private static let mostWidth = 4

    /// Decoding a run takes about as long as decoding this many numbers.
    private static let runCost = 4

    private let values: [Int64]

    /// - Parameter values: the numbers; negative numbers are encoded as 0.
    init(_ values: [Int64]) { self.values = values.contains { $0 < 0 } ? values.map { max(0, $0) } : values }

    /// The smallest encoding. Runs are used only when they are at least ``runCost`` times smaller than the others.
    ///
    /// - Complexity: O(n) in the number of values.
    func encoded() -> [UInt8] {
        let sizes = (1...Self.mostWidth).map { (width: $0, size: size(width: $0)) }
        let best = sizes.min { $0.size < $1.size } ?? (Self.mostWidth, .max)
        return sizeOfRuns * Self.runCost < best.size ? runs() : fixed(width: best.width)
    }

    /// All bits set: marks a number that does not fit the width.
    private static func escape(_ width: Int) -> Int64 { 1 << (width * 8) - 1 }

    private func size(width: Int) -> Int {
        let escape = Self.escape(width)
        return values.reduce(values.count * width) { $0 + ($1 < escape ? 0 : ByteWriter.size(ofVarint: $1)) }
    }

    private func fixed(width: Int) -> [UInt8] {
        let escape = Self.escape(width)
        var writer = ByteWriter(reserving: values.count * width + 1)
        writer.byte(UInt8(width))
        for value in values { writer.fixed(min(value, escape), width: width) }
        for value in values where value >= escape { writer.varint(value) }
        return writer.bytes
    }

    private var sizeOfRuns: Int {
        var size = 0
        forEachRun { size += ByteWriter.size(ofVarint: $0) + ByteWriter.size(ofVarint: Int64($1)) }
        return size
    }

    private func runs() -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(0)
        forEachRun { value, length in
            writer.varint(value)
            writer.varint(Int64(length))
        }
        return writer.bytes
    }

    private func forEachRun(_ body: (_ value: Int64, _ length: Int) -> Void) {
        var start = 0
        for position in values.indices where position + 1 == values.count || values[position + 1] != values[start] {
            body(values[start], position + 1 - start)
            start = position + 1
        }
    }
}
