import DispatchAnalysis

/// The id of a distributed trace: 16 bytes that are not all 0.
struct OTLPTraceID: Hashable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Nil unless the text has 32 hexadecimal digits that are not all 0.
    init?(_ text: String) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16), high | low != 0
        else { return nil }
        self.init(high: high, low: low)
    }

    /// 32 hexadecimal digits.
    var description: String { OTLPSpanID(high).description + OTLPSpanID(low).description }
}

/// The id of a span: 8 bytes that are not all 0.
struct OTLPSpanID: Hashable, CustomStringConvertible {
    let value: UInt64

    init(_ value: UInt64) { self.value = value }

    /// Nil unless the text has 16 hexadecimal digits that are not all 0.
    init?(_ text: String) {
        guard text.utf8.count == 16, let value = UInt64(text, radix: 16), value != 0 else { return nil }
        self.init(value)
    }

    /// 16 hexadecimal digits.
    var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Derives ids from the identity of a recording: the machine, the process and the time of its first event record. Two
/// exports of one recording have the same ids, so a backend can discard the copies.
struct OTLPIdentity {
    /// The objects with ids of their own. The raw value is part of the id.
    enum Object: UInt64 {
        case item = 1, itemWait, pendingItem, blockedWait, lockWait, task, await, interval, finding, recording
    }

    private let seed: UInt64

    init(of trace: TraceSummary) {
        var hash = Self.mix(UInt64(bitPattern: trace.beginUnixNanoseconds))
        let process = trace.processes.first
        for text in [process?.host ?? trace.host, process?.name ?? "", "\(process?.pid ?? 0)"] {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = Self.mix(hash)
        }
        seed = hash
    }

    func span(_ object: Object, _ number: UInt64) -> OTLPSpanID { OTLPSpanID(hash(object, number, 0)) }

    func trace(_ object: Object, _ number: UInt64) -> OTLPTraceID {
        OTLPTraceID(high: hash(object, number, 1), low: hash(object, number, 2))
    }

    /// Never 0.
    private func hash(_ object: Object, _ number: UInt64, _ part: UInt64) -> UInt64 {
        let hash = Self.mix(Self.mix(seed ^ (object.rawValue << 8 | part)) ^ number)
        return hash == 0 ? 1 : hash
    }

    /// The finalizer of SplitMix64.
    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9e37_79b9_7f4a_7c15
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}
