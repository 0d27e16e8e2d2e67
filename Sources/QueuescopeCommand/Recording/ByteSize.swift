import ArgumentParser

/// A number of bytes in the form `64M`, `2G`, `1500k` or `4096`.
struct ByteSize: Equatable {
    let bytes: UInt64

    /// - Parameter bytes: more than 0.
    init(bytes: UInt64) { self.bytes = bytes }

    /// The size with the largest unit that divides it, as it can be given on the command line: `64M`.
    var argument: String {
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

    /// Parses a size of the command line.
    ///
    /// - Parameter argument: a positive whole number that fits 63 bits, with an optional k, M, G or T (powers of 1024;
    ///   a trailing `B` or `iB` is allowed).
    /// - Throws: ``ValidationError`` with the reason.
    init(argument: String) throws {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let shift = Self.shift(of: argument.dropFirst(digits.count)) else {
            throw ValidationError("it is not a whole number of bytes, such as 4096, 1500k, 64M or 2G.")
        }
        guard let number = UInt64(digits), number <= UInt64(Int64.max) >> shift else {
            throw ValidationError("it is too large; the largest size is 8388607T.")
        }
        guard number > 0 else { throw ValidationError("it is too small; the smallest size is 1 byte.") }
        bytes = number << shift
    }

    private static func shift(of unit: Substring) -> UInt64? {
        switch unit.lowercased() {
        case "", "b": 0
        case "k", "kb", "kib": 10
        case "m", "mb", "mib": 20
        case "g", "gb", "gib": 30
        case "t", "tb", "tib": 40
        default: nil
        }
    }
}
