/// Decompresses zlib streams (RFC 1950 and 1951), the usual compression of debug sections.
enum Inflate {
    /// Decompresses a stream.
    ///
    /// - Parameters:
    ///   - stream: the compressed bytes, with the header of zlib. The checksum at the end is not verified.
    ///   - size: the exact number of decompressed bytes.
    /// - Returns: nil when the stream is damaged or has another size.
    static func zlib(_ stream: UnsafeRawBufferPointer, size: Int) -> ReadOnlyBytes? {
        // Deflate compresses at most 1,032 times.
        guard stream.count > 2, stream[0] & 0xF == 8, stream[1] & 0x20 == 0, size >= 0, size / 1032 <= stream.count
        else { return nil }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        var inflater = Inflater(input: UnsafeRawBufferPointer(rebasing: stream[2...]), output: memory)
        guard inflater.run(), inflater.written == size else {
            memory.deallocate()
            return nil
        }
        return ReadOnlyBytes(owning: memory)
    }
}

/// A canonical Huffman code.
private struct HuffmanCode {
    private static let longest = 15
    /// The number of codes of each length, and the symbols in the order of their codes.
    private var counts = [UInt16](repeating: 0, count: longest + 1)
    private var symbols: [UInt16] = []
    /// The symbol and the length of each code of at most ``tableBits`` bits, by the next bits of the input. Longer
    /// codes have the entry 0.
    private var table = [UInt16](repeating: 0, count: 1 << tableBits)
    private static let tableBits = 9

    /// - Parameter lengths: the number of bits of each symbol; 0 for symbols without a code.
    /// - Returns: nil when the lengths do not form a code.
    init?(_ lengths: some Collection<UInt8>) {
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var left = 1
        var (offsets, codes) = ([0, 0], [0, 0])
        for length in 1...Self.longest {
            left = left << 1 - Int(counts[length])
            if left < 0 { return nil }
            offsets.append(offsets[length] + Int(counts[length]))
            codes.append((codes[length] + Int(counts[length])) << 1)
        }
        symbols = [UInt16](repeating: 0, count: offsets[Self.longest + 1])
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[offsets[Int(length)]] = UInt16(symbol)
            offsets[Int(length)] += 1
            let code = codes[Int(length)]
            codes[Int(length)] += 1
            guard Int(length) <= Self.tableBits else { continue }
            // Codes are stored from their highest bit on, so that the bits are reversed in the input.
            var reversed = 0
            for bit in 0..<Int(length) where code >> bit & 1 != 0 { reversed |= 1 << (Int(length) - 1 - bit) }
            for index in stride(from: reversed, to: 1 << Self.tableBits, by: 1 << Int(length)) {
                table[index] = UInt16(symbol) << 4 | UInt16(length)
            }
        }
    }

    /// Reads a symbol; nil for an invalid code.
    @inline(__always) func next(_ input: inout BitInput) -> Int? {
        let entry = table[Int(input.peek(Self.tableBits))]
        if entry != 0 {
            input.drop(Int(entry & 0xF))
            return Int(entry >> 4)
        }
        var (code, first, index) = (0, 0, 0)
        for length in 1...Self.longest {
            code |= Int(input.take(1))
            let count = Int(counts[length])
            if code - count < first { return Int(symbols[index + (code - first)]) }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }
}

/// Bits of a stream, the lowest bit of each byte first. Zeros follow the end.
private struct BitInput {
    let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var held: UInt64 = 0
    private var count = 0
    /// Whether more bits were taken than the input has.
    private(set) var isExhausted = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    @inline(__always) private mutating func fill(_ bits: Int) {
        while count < bits, position < bytes.count {
            held |= UInt64(bytes[position]) << UInt64(count)
            position += 1
            count += 8
        }
    }

    @inline(__always) mutating func peek(_ bits: Int) -> UInt64 {
        if count < bits { fill(bits) }
        return held & (1 << UInt64(bits) - 1)
    }

    @inline(__always) mutating func drop(_ bits: Int) {
        if bits > count {
            isExhausted = true
            (held, count) = (0, 0)
        } else {
            held >>= UInt64(bits)
            count -= bits
        }
    }

    @inline(__always) mutating func take(_ bits: Int) -> UInt64 {
        let value = peek(bits)
        drop(bits)
        return value
    }

    mutating func alignToByte() { drop(count & 7) }
}

private struct Inflater {
    private var input: BitInput
    private let output: UnsafeMutableRawBufferPointer
    private(set) var written = 0

    init(input: UnsafeRawBufferPointer, output: UnsafeMutableRawBufferPointer) {
        self.input = BitInput(input)
        self.output = output
    }

    /// Decompresses all blocks. Returns false when the stream is damaged or exceeds the output.
    mutating func run() -> Bool {
        while !input.isExhausted {
            let isLast = input.take(1) == 1
            let isGood =
                switch input.take(2) {
                case 0: copyBlock()
                case 1: block(Self.fixedLengths, Self.fixedDistances)
                case 2: dynamicBlock()
                default: false
                }
            if !isGood || isLast { return isGood && !input.isExhausted }
        }
        return false
    }

    private mutating func copyBlock() -> Bool {
        input.alignToByte()
        let length = Int(input.take(16))
        guard length == Int(input.take(16) ^ 0xFFFF), length <= output.count - written else { return false }
        for _ in 0..<length {
            output[written] = UInt8(input.take(8))
            written += 1
        }
        return !input.isExhausted
    }

    private static let fixedLengths = HuffmanCode(
        (0..<288).map { symbol -> UInt8 in
            switch symbol {
            case ..<144: 8
            case ..<256: 9
            case ..<280: 7
            default: 8
            }
        })
    private static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 30))
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func dynamicBlock() -> Bool {
        let (literals, distances) = (Int(input.take(5)) + 257, Int(input.take(5)) + 1)
        let count = Int(input.take(4)) + 4
        var lengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<count { lengths[Self.order[index]] = UInt8(input.take(3)) }
        guard let code = HuffmanCode(lengths) else { return false }
        lengths = []
        while lengths.count < literals + distances {
            guard !input.isExhausted, let symbol = code.next(&input) else { return false }
            switch symbol {
            case ..<16: lengths.append(UInt8(symbol))
            case 16:
                guard let last = lengths.last else { return false }
                lengths += repeatElement(last, count: 3 + Int(input.take(2)))
            case 17: lengths += repeatElement(0, count: 3 + Int(input.take(3)))
            default: lengths += repeatElement(0, count: 11 + Int(input.take(7)))
            }
        }
        guard lengths.count == literals + distances else { return false }
        return block(HuffmanCode(lengths[..<literals]), HuffmanCode(lengths[literals...]))
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]

    private mutating func block(_ lengths: HuffmanCode?, _ distances: HuffmanCode?) -> Bool {
        guard let lengths, let distances else { return false }
        while !input.isExhausted {
            guard let symbol = lengths.next(&input) else { return false }
            if symbol < 256 {
                guard written < output.count else { return false }
                output[written] = UInt8(symbol)
                written += 1
                continue
            }
            if symbol == 256 { return true }
            guard symbol - 257 < Self.lengthBases.count else { return false }
            let length = Self.lengthBases[symbol - 257] + Int(input.take(Self.lengthBits[symbol - 257]))
            guard let code = distances.next(&input), code < Self.distanceBases.count else { return false }
            let distance = Self.distanceBases[code] + Int(input.take(max(0, code / 2 - 1)))
            guard distance <= written, length <= output.count - written else { return false }
            for _ in 0..<length {
                output[written] = output[written - distance]
                written += 1
            }
        }
        return false
    }
}
