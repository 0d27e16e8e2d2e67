extension String {
    /// The last component of a path; nil for `/` and for the empty path.
    package var lastPathComponent: Substring? {
        let slash = UInt8(ascii: "/")
        guard let last = utf8.lastIndex(where: { $0 != slash }) else { return nil }
        let end = utf8.index(after: last)
        let begin = utf8[..<end].lastIndex(of: slash).map { utf8.index(after: $0) } ?? startIndex
        return self[begin..<end]
    }
}
