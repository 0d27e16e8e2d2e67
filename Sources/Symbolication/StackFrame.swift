/// A frame of a call stack.
public struct StackFrame: Sendable, Hashable {
    /// The address in the process.
    public let address: UInt64
    /// The path of the image that contains the address; empty when there is none.
    public let image: String
    /// The offset in the file of the image; the address itself when there is no image.
    public let offset: UInt64
    /// The demangled name; nil when unknown.
    public var symbol: String?
    /// The path of the source file; nil when unknown.
    public var file: String?
    public var line: Int?

    public init(
        address: UInt64, image: String, offset: UInt64, symbol: String? = nil, file: String? = nil, line: Int? = nil
    ) {
        self.address = address
        self.image = image
        self.offset = offset
        self.symbol = symbol
        self.file = file
        self.line = line
    }

    /// The name of the image without its folder.
    public var imageName: String { String(image.lastPathComponent ?? "") }

    /// For example `function (File.swift:42)`, `libfoo.so+0x1234`, or the bare address.
    public var description: String {
        let place = imageName.isEmpty ? "0x" + String(offset, radix: 16) : imageName + "+0x" + String(offset, radix: 16)
        guard let symbol else { return place }
        guard let file, let name = file.lastPathComponent else { return "\(symbol) (\(imageName))" }
        return line.map { "\(symbol) (\(name):\($0))" } ?? "\(symbol) (\(name))"
    }
}
