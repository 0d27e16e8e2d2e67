import DispatchModel

/// Numbers for the names of slices. Packets contain the number, and one packet at the begin of the file maps numbers to
/// names.
///
/// The number of an entity is derived from its index, so an entity can be used before its name is known.
struct PerfettoNames {
    /// The source of a slice's name.
    enum Name: Hashable {
        case code(CodeIndex)
        case queue(QueueIndex)
        case lock(LockIndex)
        case text(String)
    }

    private static let kinds: UInt64 = 4
    private(set) var texts: [String] = []
    private var numbers: [String: UInt64] = [:]

    /// The number of a name, never 0.
    mutating func number(of name: Name) -> UInt64 {
        switch name {
        case .code(let code): return UInt64(code.position + 1) * Self.kinds
        case .queue(let queue): return UInt64(queue.position + 1) * Self.kinds + 1
        case .lock(let lock): return UInt64(lock.position + 1) * Self.kinds + 2
        case .text(let text):
            if let known = numbers[text] { return known }
            let number = UInt64(texts.count + 1) * Self.kinds + 3
            texts.append(text)
            numbers[text] = number
            return number
        }
    }

    /// All names with their numbers.
    func events(in model: DispatchModel) -> [PerfettoName] {
        var names: [PerfettoName] = []
        func add(_ position: Int, _ kind: UInt64, _ name: String) {
            names.append(PerfettoName(number: UInt64(position + 1) * Self.kinds + kind, text: name))
        }
        for (position, code) in model.codes.enumerated() { add(position, 0, code.description) }
        for queue in model.queues { add(queue.index.position, 1, PerfettoNames.label(of: queue)) }
        for (position, lock) in model.locks.enumerated() { add(position, 2, lock.name) }
        for (position, text) in texts.enumerated() { add(position, 3, text) }
        return names
    }

    static func label(of queue: Queue) -> String {
        queue.name.isEmpty ? "queue #\(queue.serialNumber)" : queue.name
    }
}

/// The kind of a slice, used as a filter in Perfetto.
enum PerfettoCategory: UInt64, CaseIterable {
    case item = 1, wait, enqueue, handoff, lock, signpost, finding, misuse, task

    var name: String {
        switch self {
        case .handoff: "hand-off"
        default: "\(self)"
        }
    }
}
