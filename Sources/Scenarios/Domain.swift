/// The style of a variant's labels and numbers. Detectors must work with styles that their authors have not seen.
public enum Domain: String, CaseIterable, Sendable {
    /// Applications and services, with labels in reverse DNS notation. The numbers are in the scenario's range.
    case software
    /// A warehouse, with German labels that have spaces, slashes and digits. The numbers are above the scenario's range
    /// by at most half of its width. With larger numbers, some problems and repairs would have no effect.
    case warehouse

    /// The label of a queue for a topic.
    func label(_ topic: String, using random: inout SplitMix64) -> String {
        let (places, things) = words
        let place = places.randomElement(using: &random)!
        let thing = things.randomElement(using: &random)!
        return switch self {
        case .software: "\(place).\(thing).\(topic)"
        case .warehouse: "\(place)/\(thing) für \(topic.count)"
        }
    }

    /// The range for a range of the scenario. A range from 0 is a choice between kinds and does not change.
    func range(_ range: ClosedRange<Int>) -> ClosedRange<Int> {
        guard self == .warehouse, range.lowerBound > 0 else { return range }
        return range.upperBound...range.upperBound + (range.upperBound - range.lowerBound) / 2
    }

    private var words: (places: [String], things: [String]) {
        switch self {
        case .software:
            (
                ["org.example", "com.acme", "net.northwind", "io.contoso", "app.fabrikam"],
                ["reader", "shop", "player", "mail", "gateway", "ledger"]
            )
        case .warehouse:
            (
                ["Halle Nord", "Halle 7", "Hafen", "Außenlager", "Rampe 12"],
                ["Förderband", "Regal", "Kran", "Waage", "Tor"]
            )
        }
    }
}
