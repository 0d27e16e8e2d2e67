import DispatchModel

/// The objects that threads waited for, numbered in the order of the first wait; bounded.
struct WaitObjects {
    /// The most objects. Programs can create any number of semaphores and groups.
    private static let limit = 4_096

    private(set) var objects: [BlockedWait.Object] = []
    private var positions: [BlockedWait.Object: Int] = [:]

    /// Assigns a position to an object that has none, if there is room.
    mutating func insert(_ object: BlockedWait.Object) {
        guard objects.count < Self.limit, positions[object] == nil else { return }
        positions[object] = objects.count
        objects.append(object)
    }

    /// The position of an object; nil when there was no room for it.
    func position(of object: BlockedWait.Object) -> Int? { positions[object] }
}

extension TimelineDocument {
    /// An object that a thread waited for.
    struct WaitObjectRow: Encodable {
        /// The number of the kind, as in the "WAIT" section.
        let kind: Int
        /// The position of the queue or lock; -1 for other kinds.
        let entity: Int32
        /// The id of the recorder; empty for queues and locks.
        let id: String
        /// The code that created the object; 0 when unknown.
        let code: Int32
    }

    static func rows(of waited: WaitObjects, in model: DispatchModel) -> [WaitObjectRow] {
        let groups = Dictionary(model.groups.map { ($0.id, $0.creationCode) }) { _, last in last }
        let semaphores = Dictionary(model.semaphores.map { ($0.id, $0.creationCode) }) { _, last in last }
        return waited.objects.map { object in
            let (entity, id, code): (Int32, UInt64?, CodeIndex) =
                switch object {
                case .group(let id): (-1, id, groups[id] ?? .unknown)
                case .semaphore(let id): (-1, id, semaphores[id] ?? .unknown)
                case .item(let id): (-1, id, .unknown)
                case .queue(let queue): (queue.rawValue, nil, model[queue].creationCode)
                case .lock(let lock): (lock.rawValue, nil, model[lock].creationCode)
                }
            return WaitObjectRow(
                kind: Int(object.kind.rawValue), entity: entity, id: id.map { "0x" + String($0, radix: 16) } ?? "",
                code: code.rawValue)
        }
    }
}
