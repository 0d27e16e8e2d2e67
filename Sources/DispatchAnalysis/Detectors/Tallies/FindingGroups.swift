/// Groups of cases by key, such as label pattern and code, in the order of their first case. Each becomes one finding.
struct FindingGroups<Key: Hashable, Group> {
    private(set) var groups: [Group] = []
    private var places: [Key: Int] = [:]

    /// Whether a key has a group.
    func contains(_ key: Key) -> Bool { places[key] != nil }

    /// The group of a key. A change of a key without a group creates it.
    subscript(key: Key, default group: @autoclosure () -> Group) -> Group {
        get { places[key].map { groups[$0] } ?? group() }
        _modify {
            let place = places[key] ?? groups.count
            if place == groups.count {
                places[key] = place
                groups.append(group())
            }
            yield &groups[place]
        }
    }
}
