import Foundation

/// One file that is generated: where it lives, relative to the package, and what it holds.
struct GeneratedFile {
    let path: String
    let contents: String

    /// All of them.
    ///
    /// - Parameter package: the package's directory, for what is generated from sources.
    /// - Returns: the files.
    /// - Throws: when a source file cannot be read or understood.
    static func all(in package: URL) throws -> [GeneratedFile] {
        try [
            writersHeader, writersSource, eventShapes, metadata, lttngProvider, swiftEvents, swiftDecoder,
            documentation, detectorDocumentation(in: package),
        ] + documentSchemas(in: package)
    }

    /// The first line of every file that is generated from the catalogue.
    static let notice = "Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit."
}
