/// Groups of cases by key, such as label pattern and code, in the order of their first case. Each becomes one finding.
struct FindingGroups<Key: Hashable, Group> {
    /// Its groups may change, but not their number.
    var groups: [Group] = []
    private var places: [Key: Int] = [:]

    /// Whether a key has a group.
    func contains(_ key: Key) -> Bool { places[key] != nil }

    /// The position of the group of a key, which is created if there is none.
    mutating func place(of key: Key, default group: @autoclosure () -> Group) -> Int {
        if let known = places[key] { return known }
        places[key] = groups.count
        groups.append(group())
        return groups.count - 1
    }

    /// The group of a key. A change of a key without a group creates it.
    subscript(key: Key, default group: @autoclosure () -> Group) -> Group {
        get { places[key].map { groups[$0] } ?? group() }
        _modify {
            let place = place(of: key, default: group())
            yield &groups[place]
        }
    }
}
