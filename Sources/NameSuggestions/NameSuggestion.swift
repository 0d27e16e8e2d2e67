/// The known names that resemble a name which does not exist, for an error message.
public struct NameSuggestion: Sendable {
    /// The known names that resemble the mistyped name, the best first; at most three.
    public let names: [String]

    /// Finds names that contain the mistyped name, or differ from it in a third of its letters at most.
    ///
    /// - Parameters:
    ///   - name: the mistyped name.
    ///   - known: the known names.
    public init(for name: String, among known: [String]) {
        let wanted = Array(name.lowercased().utf8)
        let limit = max(1, wanted.count / 3)
        let ranked = known.enumerated().compactMap { place, candidate -> (distance: Int, place: Int, name: String)? in
            let distance = Self.distance(wanted, Array(candidate.lowercased().utf8))
            if distance <= limit { return (distance, place, candidate) }
            let isPart = wanted.count >= 3 && candidate.lowercased().contains(name.lowercased())
            return isPart ? (limit, place, candidate) : nil
        }
        names = ranked.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(3).map(\.name)
    }

    /// `; did you mean image-cache or image-pipeline?`, or a full stop without a suggestion.
    public var question: String {
        guard let last = names.last else { return "." }
        let others = names.dropLast().joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours that turn one name into the other.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                let isSame = one[i] == other[j]
                var least = min(last[j] + (isSame ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, beforeLast[j - 1] + 1)
                }
                row.append(least)
            }
            beforeLast = last
            last = row
        }
        return last[other.count]
    }
}
