import ArgumentParser

/// A number of bytes in the form `64M`, `2G`, `1500k` or `4096`.
struct ByteSize: ExpressibleByArgument, Equatable {
    let bytes: UInt64

    /// - Parameter bytes: more than 0.
    init(bytes: UInt64) { self.bytes = bytes }

    /// The size with the largest unit that divides it, for the default value in help texts.
    var defaultValueDescription: String {
        let units = [(40, "T"), (30, "G"), (20, "M"), (10, "k")]
        guard let (shift, unit) = units.first(where: { bytes % (1 << $0.0) == 0 }) else { return "\(bytes)" }
        return "\(bytes >> shift)\(unit)"
    }

    /// The size with one decimal at most: `1.5 GiB`, `64 MiB`.
    var readable: String {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        guard let (shift, unit) = units.first(where: { bytes >> $0.0 != 0 }) else { return "\(bytes) B" }
        let tenths = (bytes >> shift) * 10 + (((bytes & ((1 << shift) - 1)) * 10) >> shift)
        return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// Nil unless the argument is a positive whole number with an optional k, M, G or T (powers of 1024; a trailing `B`
    /// or `iB` is allowed) that fits 63 bits.
    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = UInt64(digits), number > 0 else { return nil }
        let shift: UInt64
        switch argument.dropFirst(digits.count).lowercased() {
        case "", "b": shift = 0
        case "k", "kb", "kib": shift = 10
        case "m", "mb", "mib": shift = 20
        case "g", "gb", "gib": shift = 30
        case "t", "tb", "tib": shift = 40
        default: return nil
        }
        guard number <= UInt64(Int64.max) >> shift else { return nil }
        bytes = number << shift
    }
}
