/// One file that the catalogue generates: where it lives, relative to the package, and what it holds.
struct GeneratedFile {
    let path: String
    let contents: String

    /// All of them.
    static var all: [GeneratedFile] {
        [.writersHeader, .writersSource, .eventShapes, .metadata, .lttngProvider, .swiftEvents, .swiftDecoder, .documentation]
    }

    /// The first line of every generated file.
    static let notice = "Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit."
}
