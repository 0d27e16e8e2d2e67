import DispatchModel

/// Collects all items.
final class ItemCollector: ModelObserver {
    private(set) var items: [Item] = []

    func observe(_ observation: Observation, in model: DispatchModel) {
        if case .item(let item) = observation { items.append(item) }
    }
}
