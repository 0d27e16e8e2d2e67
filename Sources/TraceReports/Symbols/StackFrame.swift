/// One line of a call stack.
public struct StackFrame: Sendable, Hashable {
    /// In the process.
    public let address: UInt64
    /// Path of the image that holds the address; empty when none does.
    public let image: String
    /// From the image's begin in the file; the address itself when no image holds it.
    public let offset: UInt64
    /// Demangled; nil when unknown.
    public var symbol: String?
    /// Path of the source file; nil when unknown.
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

    /// The image's name without its folder.
    public var imageName: String { String(image.lastPathComponent ?? "") }

    /// `function (File.swift:42)`, or `libfoo.so+0x1234`, or the bare address.
    public var description: String {
        let place = imageName.isEmpty ? "0x" + String(offset, radix: 16) : imageName + "+0x" + String(offset, radix: 16)
        guard let symbol else { return place }
        guard let file, let name = file.lastPathComponent else { return "\(symbol) (\(imageName))" }
        return line.map { "\(symbol) (\(name):\($0))" } ?? "\(symbol) (\(name))"
    }
}
