import DispatchModel
import FoundationEssentials
import Symbolication

/// The form of the links of a report.
public struct LinkStyle: Sendable {
    /// The form of the links.
    public let format: LinkFormat
    /// The files of the project, for code that was compiled in another folder; nil when unknown.
    public let sources: SourceTree?

    /// - Parameters:
    ///   - format: the form of the links.
    ///   - sources: the files of the project; nil when unknown.
    public init(_ format: LinkFormat, sources: SourceTree? = nil) {
        self.format = format
        self.sources = sources
    }

    /// The links of a report about one process, or several.
    package func links(in models: [DispatchModel], _ symbols: [SymbolTable] = []) -> SourceLinks {
        SourceLinks(self, codes: models.map(\.codes).joined(), frames: symbols.map(\.resolvedFrames).joined())
    }
}

/// Makes links of the places in the code that a text names: `StateStore.swift:42` or `News/StateStore.swift:42`.
///
/// A place is a link only if the code has a path and the file is on this machine. A place that matches several files is
/// not a link.
package struct SourceLinks: Sendable {
    private struct Place: Hashable {
        /// `File.swift` or `Module/File.swift`.
        let file: Substring
        let line: Int
    }

    private let style: LinkStyle
    /// The files that each place matches; nil for a file that is unknown or not on this machine.
    private var files: [Place: Set<String?>] = [:]

    /// - Parameters:
    ///   - style: the form of the links.
    ///   - codes: the code of the trace.
    ///   - frames: the frames of stacks.
    init(_ style: LinkStyle, codes: some Sequence<Code>, frames: some Sequence<StackFrame>) {
        self.style = style
        var found: [String: String?] = [:]
        func existing(_ path: String) -> String? {
            if let known = found[path] { return known }
            let file = style.existing(path)
            found[path] = .some(file)
            return file
        }
        for frame in frames {
            guard let path = frame.file, let line = frame.line, let name = path.lastPathComponent else { continue }
            files[Place(file: name, line: line), default: []].insert(existing(path))
        }
        for code in codes { if let path = code.path { add(existing(path), of: code) } }
        // A call site that the program recorded with `#fileID` has no path. Its module is a folder.
        let sources = Dictionary(grouping: Set(found.values.compactMap { $0 })) { $0.lastPathComponent ?? "" }
        for code in codes where code.path == nil {
            let parts = code.file.split(separator: "/")
            let ofModule = (sources[parts.last ?? ""] ?? []).filter { path in
                parts.count == 2 && path.split(separator: "/").dropLast().contains(parts[0])
            }
            add(ofModule.count == 1 ? ofModule[0] : style.inProject(code.file), of: code)
        }
    }

    private mutating func add(_ path: String?, of code: Code) {
        guard code.line > 0, let name = code.file.lastPathComponent else { return }
        files[Place(file: code.file[...], line: code.line), default: []].insert(path)
        files[Place(file: name, line: code.line), default: []].insert(path)
    }

    /// The text with an OSC 8 sequence around each place that has a link.
    ///
    /// Source: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
    func linked(_ text: String) -> String {
        var result = ""
        var copied = text.startIndex
        for (range, url) in links(in: text) {
            result += text[copied..<range.lowerBound]
            result += "\u{1B}]8;;\(url)\u{1B}\\\(text[range])\u{1B}]8;;\u{1B}\\"
            copied = range.upperBound
        }
        return copied == text.startIndex ? text : result + text[copied...]
    }

    /// The URLs of all places that have a link, by their texts.
    package var all: [String: String] {
        var urls: [String: String] = [:]
        for place in files.keys { urls["\(place.file):\(place.line)"] = url(of: place) }
        return urls
    }

    private func links(in text: String) -> [(range: Range<String.Index>, url: String)] {
        var found: [(range: Range<String.Index>, url: String)] = []
        var searched = text.startIndex
        while let colon = text.utf8[searched...].firstIndex(of: UInt8(ascii: ":")) {
            let before = text.utf8[searched..<colon]
            let space = before.lastIndex { " ()[]{}<>\"'`,;".utf8.contains($0) }
            let name = text[(space.map(text.utf8.index(after:)) ?? searched)..<colon]
            let digits = text[text.utf8.index(after: colon)...].prefix { $0.isASCII && $0.isNumber }
            searched = digits.endIndex
            guard let line = Int(digits), let url = url(of: Place(file: name, line: line)) else { continue }
            found.append((name.startIndex..<digits.endIndex, url))
        }
        return found
    }

    private func url(of place: Place) -> String? {
        guard let paths = files[place], paths.count == 1, case .some(.some(let path)) = paths.first else { return nil }
        return style.format.url(of: path, line: place.line)
    }
}

extension LinkStyle {
    /// The path of a file that is on this machine, or that the project has below its folder; otherwise nil.
    fileprivate func existing(_ path: String) -> String? {
        if path.hasPrefix("/"), FileManager.default.fileExists(atPath: path) { return path }
        guard let sources, let own = sources.path(of: path), path.hasSuffix("/" + own) else { return nil }
        return sources.absolute(own)
    }

    /// The path of the file of the project with a name such as `Module/File.swift`; nil when the project has none.
    fileprivate func inProject(_ file: String) -> String? {
        sources.flatMap { tree in tree.path(of: file).map(tree.absolute) }
    }
}
