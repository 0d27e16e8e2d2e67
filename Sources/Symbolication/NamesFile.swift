import CTFReader
import DispatchModel
import FoundationEssentials
import Glibc

/// The names of the code of one image that the traces refer to. Addresses are addresses in the file.
struct ImageNames: Equatable {
    /// The functions at an address, innermost first, with mangled names.
    var places: [UInt64: [SymbolSearch.Place]] = [:]
    /// Functions that were looked up by name, to find the closure behind a forwarder.
    var symbols: [String: ELFFile.Symbol] = [:]
    /// Mangled names of functions whose kind matters to the model.
    var marked: [UInt64: String] = [:]
}

/// The names of a trace's code, as a file in the trace directory.
///
/// The file keeps the names after the program is rebuilt or removed, and on other machines. Readers of CTF ignore it,
/// because its name begins with a dot.
///
/// ```json
/// { "schema": "queuescope.names/1",
///   "images": [ { "path": "/srv/News", "build_id": "00ff",
///                 "functions": [ "$s4News4saveyyF" ], "files": [ "/srv/News.swift" ],
///                 "places": [ [ 4660, 0, 0, 17 ] ], "marked": [ ], "symbols": [ [ 0, 4656, 96 ] ] } ] }
/// ```
///
/// A place is an address, then function, file and line of each function there, innermost first. A marked function is an
/// address and a function. A symbol is a function, its address and its size. Functions and files are indices; -1 is no
/// file.
enum NamesFile {
    static let name = ".queuescope-names"
    static let schema = "queuescope.names/1"
    /// Larger files are not read.
    private static let largest = 1 << 28

    private struct Document: Codable {
        let schema: String
        let images: [Entry]
    }

    private struct Entry: Codable {
        let path: String
        let build_id: String
        let functions: [String]
        let files: [String]
        let places: [[Int]]
        let marked: [[Int]]
        let symbols: [[Int]]
    }

    // MARK: Reading

    /// Reads the names of traces. Missing and damaged files are ignored.
    ///
    /// - Parameter paths: traces, or directories with traces below them.
    static func read(_ paths: [String]) -> [SymbolSources.Key: ImageNames] {
        var all: [SymbolSources.Key: ImageNames] = [:]
        var conflicts: Set<SymbolSources.Key> = []
        for directory in paths.flatMap({ (try? TraceSearch.traces(at: $0).paths) ?? [] }) {
            guard let bytes = ReadOnlyBytes(path: "\(directory)/\(name)"), bytes.bytes.count <= largest else {
                continue
            }
            for (key, names) in parse(Data(bytes.bytes)) {
                guard let other = all[key] else {
                    all[key] = names
                    continue
                }
                // Two traces can have different builds at one path, which only the build id distinguishes.
                if key.buildID.isEmpty, other != names { conflicts.insert(key) }
                all[key]?.places.merge(names.places) { first, _ in first }
                all[key]?.symbols.merge(names.symbols) { first, _ in first }
                all[key]?.marked.merge(names.marked) { first, _ in first }
            }
        }
        return all.filter { !conflicts.contains($0.key) }
    }

    /// Parses a file. Entries with invalid numbers are ignored.
    static func parse(_ data: Data) -> [SymbolSources.Key: ImageNames] {
        guard let document = try? JSONDecoder().decode(Document.self, from: data), document.schema == schema else {
            return [:]
        }
        var images: [SymbolSources.Key: ImageNames] = [:]
        for entry in document.images {
            var names = ImageNames()
            func text(_ list: [String], _ index: Int) -> String? { list.indices.contains(index) ? list[index] : nil }
            for row in entry.places where row.count % 3 == 1 && row[0] >= 0 {
                let places = stride(from: 1, to: row.count, by: 3).compactMap { index -> SymbolSearch.Place? in
                    guard let function = text(entry.functions, row[index]) else { return nil }
                    let file = text(entry.files, row[index + 1])
                    return SymbolSearch.Place(function: function, file: file, line: file == nil ? nil : row[index + 2])
                }
                names.places[UInt64(row[0])] = places
            }
            for row in entry.marked where row.count == 2 && row[0] >= 0 {
                names.marked[UInt64(row[0])] = text(entry.functions, row[1])
            }
            for row in entry.symbols where row.count == 3 && row[1] >= 0 && row[2] >= 0 {
                guard let function = text(entry.functions, row[0]) else { continue }
                names.symbols[function] = ELFFile.Symbol(
                    name: function, address: UInt64(row[1]), size: UInt64(row[2]))
            }
            images[SymbolSources.Key(path: entry.path, buildID: entry.build_id)] = names
        }
        return images
    }

    // MARK: Writing

    /// Writes the names of a trace. A reader sees the old file or the whole new file.
    ///
    /// - Parameters:
    ///   - images: the names.
    ///   - directory: the trace directory.
    /// - Returns: nil, or `errno` when the file cannot be written, for example in a read-only directory.
    static func write(_ images: [SymbolSources.Key: ImageNames], into directory: String) -> Int32? {
        guard let data = try? data(of: images) else { return EINVAL }
        // The name has the process id, so that two processes write different files.
        let temporary = "\(directory)/\(name).\(getpid())"
        // A process with the same id may have been killed while it wrote.
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return errno }
        let isWritten = data.withUnsafeBytes { bytes -> Bool in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(file, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
        // The names have the permissions of the events.
        var status = stat()
        if stat("\(directory)/metadata", &status) == 0 { fchmod(file, status.st_mode & 0o666) }
        let writeError = errno
        close(file)
        errno = writeError
        if isWritten, rename(temporary, "\(directory)/\(name)") == 0 { return nil }
        let reason = errno
        unlink(temporary)
        return reason
    }

    static func data(of images: [SymbolSources.Key: ImageNames]) throws -> Data {
        let entries = images.sorted { ($0.key.path, $0.key.buildID) < ($1.key.path, $1.key.buildID) }.map(entry)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Document(schema: schema, images: entries))
    }

    private static func entry(_ key: SymbolSources.Key, _ names: ImageNames) -> Entry {
        var (functions, files) = (TextTable(), TextTable())
        func number(_ address: UInt64) -> Int? { Int(exactly: address) }
        let places = names.places.sorted { $0.key < $1.key }.compactMap { address, places in
            number(address).map { address in
                [address]
                    + places.flatMap { place in
                        [functions.index(place.function), place.file.map { files.index($0) } ?? -1, place.line ?? 0]
                    }
            }
        }
        let marked = names.marked.sorted { $0.key < $1.key }.compactMap { address, name in
            number(address).map { [$0, functions.index(name)] }
        }
        let symbols = names.symbols.values.sorted { $0.name < $1.name }.compactMap { symbol -> [Int]? in
            guard let address = number(symbol.address), let size = number(symbol.size) else { return nil }
            return [functions.index(symbol.name), address, size]
        }
        return Entry(
            path: key.path, build_id: key.buildID, functions: functions.texts, files: files.texts, places: places,
            marked: marked, symbols: symbols)
    }

    /// Texts, each once.
    private struct TextTable {
        private(set) var texts: [String] = []
        private var indices: [String: Int] = [:]

        mutating func index(_ text: String) -> Int {
            if let known = indices[text] { return known }
            indices[text] = texts.count
            texts.append(text)
            return texts.count - 1
        }
    }
}
