/// A piece of code that events refer to: a call site, a function, or a signpost's name.
public struct Code: Sendable, Hashable {
    /// Function or signpost name; empty for a call site.
    public let symbol: String
    /// `Module/File.swift` as `#fileID` gives it; empty when unknown.
    public let file: String
    /// The line; 0 when unknown.
    public let line: Int
    /// The address in the process; 0 for a call site.
    public let address: UInt64
    /// The address of the function that was called, when ``address`` may point to data; 0 when ``address`` is certainly
    /// code. This is the code itself, unless it is a thunk of the Swift compiler.
    public let thunk: UInt64
    /// The SwiftPM package of the code, such as `swift-nio`, if SwiftPM fetched it as a dependency; nil for the
    /// program's own code, and when unknown.
    public let package: String?
    /// The path of the file on the machine that compiled it, from the debug information; nil when unknown.
    public let path: String?

    /// Creates a piece of code.
    public init(
        symbol: String, file: String, line: Int, address: UInt64, thunk: UInt64 = 0, package: String? = nil,
        path: String? = nil
    ) {
        self.symbol = symbol
        self.file = file
        self.line = line
        self.address = address
        self.thunk = thunk
        self.package = package
        self.path = path
    }

    /// Code without any recorded information.
    public static let unknown = Code(symbol: "", file: "", line: 0, address: 0)

    /// `Module/File.swift:42`, the symbol, or `unknown code`.
    public var description: String {
        if !file.isEmpty { return symbol.isEmpty ? "\(file):\(line)" : "\(symbol) (\(file):\(line))" }
        if !symbol.isEmpty { return symbol }
        return address == 0 ? "unknown code" : "0x" + String(address, radix: 16)
    }
}

/// An executable or library that was mapped in the process, for symbolising addresses later.
public struct Image: Sendable, Hashable {
    /// Address in memory minus address in the file.
    public let base: UInt64
    /// First mapped address.
    public let begin: UInt64
    /// Address after the last mapped byte.
    public let end: UInt64
    /// GNU build id in hexadecimal; empty when the image has none.
    public let buildID: String
    /// Path of the file.
    public let path: String

    /// Prefixes of the file names of libraries that belong to Swift, the C library or the recorder.
    private static let systemLibraries = [
        "libFoundation", "lib_Foundation", "libswift", "libdispatch", "libBlocksRuntime", "libXCTest", "libTesting",
        "libcurl", "libc.so", "libc-", "libstdc++", "libpthread", "libm.so", "libresolv", "librt", "libnss_", "ld-",
        "libqueuescope_preload",
    ]

    /// Whether it is a system library, whose code the readers of a report cannot change.
    public var isOfSystem: Bool { name.map { Self.systemLibraries.contains(where: $0.hasPrefix) } ?? false }

    /// The file name without its folder.
    public var name: Substring? { path.lastPathComponent }

    /// Creates the description of a mapping.
    public init(base: UInt64, begin: UInt64, end: UInt64, buildID: String, path: String) {
        self.base = base
        self.begin = begin
        self.end = end
        self.buildID = buildID
        self.path = path
    }
}
