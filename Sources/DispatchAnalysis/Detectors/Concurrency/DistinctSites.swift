import DispatchModel

/// Code sites as text, each once.
enum DistinctSites {
    /// The descriptions of the known ones, in order.
    static func of(_ codes: [CodeIndex], in model: DispatchModel) -> [String] {
        var sites = DistinctIndices<CodeIndex>()
        for code in codes where code != .unknown { sites.insert(code) }
        var names: [String] = []
        for name in sites.elements.map({ model[$0].description }) where !names.contains(name) { names.append(name) }
        return names
    }
}
