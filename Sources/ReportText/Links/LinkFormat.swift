import FoundationEssentials

/// The form of the links from `file:line` in a report to the source.
public struct LinkFormat: Sendable, Hashable {
    /// `file://HOST/PATH`. A terminal opens it with the user's program for this kind of file.
    public static let file = LinkFormat(pieces: [.text("file://"), .host, .path])

    /// The formats with a name. An editor opens its links at the line.
    public static let named: KeyValuePairs<String, LinkFormat> = [
        "file": .file,
        "vscode": LinkFormat(pieces: [.text("vscode://file"), .path, .text(":"), .line]),
    ]

    /// The reason why a template is not valid.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence without its full stop.
        public let description: String
    }

    private enum Piece: Hashable {
        case text(String)
        case path, line, host

        static let placeholders: [String: Piece] = ["path": .path, "line": .line, "host": .host]
    }

    private let pieces: [Piece]

    private init(pieces: [Piece]) { self.pieces = pieces }

    /// Parses a template such as `vscode://file/{path}:{line}`.
    ///
    /// - Parameter template: a URL with `{path}`, the absolute path of the file, and optionally `{line}` and `{host}`,
    ///   the name of this machine.
    /// - Throws: ``Failure`` when the template is no URL, has no path, or has another placeholder.
    public init(template: String) throws(Failure) {
        guard template.prefixMatch(of: /[a-z][a-z0-9+.\-]*:/.ignoresCase()) != nil,
            template.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else {
            let shown = DisplayText.escaped(template)
            throw Failure(description: "'\(shown)' is not a URL such as vscode://file/{path}:{line}")
        }
        var pieces: [Piece] = []
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            let after = rest[open...].dropFirst()
            guard let close = after.firstIndex(of: "}"), let piece = Piece.placeholders[String(after[..<close])] else {
                throw Failure(description: "'\(template)' has a placeholder other than {path}, {line} and {host}")
            }
            pieces += [.text(String(rest[..<open])), piece]
            rest = rest[close...].dropFirst()
        }
        guard pieces.contains(.path) else { throw Failure(description: "'\(template)' has no {path}") }
        self.init(pieces: pieces + [.text(String(rest))])
    }

    /// The URL of a place in the code.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the file.
    ///   - line: the line, from 1.
    func url(of path: String, line: Int) -> String {
        pieces.reduce(into: "") { url, piece in
            switch piece {
            case .text(let text): url += text
            // A template may end with the slash that begins the path.
            case .path: url += Self.encoded(url.hasSuffix("/") && !url.hasSuffix("://") ? path.dropFirst() : path[...])
            case .line: url += "\(line)"
            case .host: url += Self.encoded(Self.host[...])
            }
        }
    }

    /// The text with every byte escaped that is not an unreserved character of URLs (RFC 3986) or a slash.
    private static func encoded(_ text: Substring) -> String {
        var result = ""
        for byte in text.utf8 {
            let isPlain =
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || "/-._~".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            result += isPlain ? String(UnicodeScalar(byte)) : (digits.utf8.count == 1 ? "%0" : "%") + digits
        }
        return result
    }

    /// The name of this machine.
    private static let host = ProcessInfo.processInfo.hostName
}
