/// Builds bytes as a tracer writes them.
struct ByteBuilder {
    private(set) var bytes: [UInt8] = []

    @discardableResult
    mutating func u8(_ values: UInt8...) -> Self {
        bytes += values
        return self
    }

    mutating func integer<T: FixedWidthInteger>(_ value: T, bigEndian: Bool = false) {
        withUnsafeBytes(of: bigEndian ? value.bigEndian : value.littleEndian) { bytes += $0 }
    }

    mutating func text(_ text: String) {
        bytes += Array(text.utf8) + [0]
    }

    mutating func append(_ other: [UInt8]) { bytes += other }

    mutating func pad(to alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    /// Returns the bytes that `body` appends.
    static func build(_ body: (inout ByteBuilder) -> Void) -> [UInt8] {
        var builder = ByteBuilder()
        body(&builder)
        return builder.bytes
    }
}
