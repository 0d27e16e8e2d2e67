import Foundation

/// A generated file: its path relative to the package, and its contents.
struct GeneratedFile {
    let path: String
    let contents: String

    /// All generated files.
    ///
    /// - Parameter package: the package's directory, for files that are generated from sources.
    /// - Returns: the files.
    /// - Throws: when a source file cannot be read or parsed.
    static func all(in package: URL) throws -> [GeneratedFile] {
        try [
            writersHeader, writersSource, eventShapes, metadata, lttngProvider, swiftEvents, swiftDecoder,
            swiftVocabulary, pageVocabulary, documentation, detectorDocumentation(in: package),
        ] + documentSchemas(in: package)
    }

    /// The first line of the files that are generated from the catalogue.
    static let notice = "Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit."
}
