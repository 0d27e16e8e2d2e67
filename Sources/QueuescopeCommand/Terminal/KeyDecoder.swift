import TraceReports

/// Turns the bytes of a terminal into keys. The bytes of one key may arrive in several pieces.
///
/// ```
///   1B 5B 41       up              1B 5B | 41     the same in two pieces
///   1B             escape, if nothing follows within a moment
/// ```
struct KeyDecoder {
    /// Bytes of a key that is not complete.
    private var pending: [UInt8] = []

    private static let escape: UInt8 = 0x1B
    /// Longest sequence. The rest of a longer one is no key either.
    private static let limit = 32

    /// Whether a sequence has begun. The caller calls ``flush()`` if no byte follows within a moment.
    var isPending: Bool { !pending.isEmpty }

    /// Takes over bytes.
    ///
    /// - Parameter bytes: the bytes that were read.
    /// - Returns: the complete keys. Unknown sequences are no keys.
    mutating func keys(in bytes: some Sequence<UInt8>) -> [LiveKey] {
        pending += bytes
        var keys: [LiveKey] = []
        while !pending.isEmpty {
            guard let (key, length) = Self.first(of: pending) else {
                if pending.count > Self.limit { pending = [] }
                break
            }
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Ends an incomplete sequence: a single escape byte is the key escape, other bytes are no key.
    mutating func flush() -> [LiveKey] {
        defer { pending = [] }
        return pending == [Self.escape] ? [.escape] : []
    }

    /// The first key and the number of its bytes; nil when it is incomplete. The key is nil for an unknown sequence.
    private static func first(of bytes: [UInt8]) -> (key: LiveKey?, length: Int)? {
        switch bytes[0] {
        case escape: return sequence(bytes)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x00..<0x20: return (nil, 1)
        default: return character(bytes)
        }
    }

    private static func character(_ bytes: [UInt8]) -> (key: LiveKey?, length: Int)? {
        let length =
            switch bytes[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard bytes.count >= length else { return nil }
        guard let text = String(validating: bytes[..<length], as: UTF8.self), let character = text.first else {
            return (nil, 1)
        }
        return (.character(character), length)
    }

    /// A control sequence (ECMA-48, 5.4): `ESC [`, parameters 30–3F, intermediates 20–2F, a final byte 40–7E; or
    /// `ESC O` and one byte.
    private static func sequence(_ bytes: [UInt8]) -> (key: LiveKey?, length: Int)? {
        guard bytes.count > 1 else { return nil }
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
            // Escape, followed by another key.
            return (.escape, 1)
        }
        guard bytes.count > 2 else { return nil }
        if bytes[1] == UInt8(ascii: "O") { return (named(bytes[2], parameters: []), 3) }
        guard let end = bytes.dropFirst(2).firstIndex(where: { !(0x20...0x3F ~= $0) }) else { return nil }
        return (named(bytes[end], parameters: bytes[2..<end]), end + 1)
    }

    private static func named(_ final: UInt8, parameters: ArraySlice<UInt8>) -> LiveKey? {
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "M"): return .enter
        case UInt8(ascii: "~"):
            return switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
            case "1", "7": .home
            case "4", "8": .end
            case "5": .pageUp
            case "6": .pageDown
            default: nil
            }
        default: return nil
        }
    }
}
