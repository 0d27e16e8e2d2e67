import DispatchModel

/// Whose a queue is. Advice to change a queue is for its owner only.
enum QueueOwner: Equatable {
    /// The program made it.
    case program
    /// One of libdispatch's global queues, or the main queue: they are roots and cannot have a target.
    case libdispatch
    /// The global executor of Swift tasks.
    case swiftConcurrency
    /// A library of the system made it, by the library's file name.
    case library(String)
}

extension Queue {
    /// Whether libdispatch made it.
    var isOfDispatch: Bool { kind == .global || kind == .main || label.hasPrefix("com.apple.") }
}

extension DispatchModel {
    /// The label of the queues on which Swift's tasks run.
    private static let swiftExecutor = "Swift global concurrent queue"

    /// Whose the queue is; the program's where the trace does not tell.
    func owner(of queue: QueueIndex) -> QueueOwner {
        let entity = self[queue]
        if entity.label == Self.swiftExecutor { return .swiftConcurrency }
        if entity.isOfDispatch { return .libdispatch }
        return SystemCode.library(of: entity.creationCode, in: self).map(QueueOwner.library) ?? .program
    }

    /// The queues that the program made: those that it can give another target.
    func retargetable(_ queues: [QueueIndex]) -> [QueueIndex] { queues.filter { owner(of: $0) == .program } }

    /// `app.a, app.b and 3 more`, of the queues that the program can give another target; nil when there is none.
    func retargetableNames(_ queues: [QueueIndex], limit: Int = 3) -> String? {
        let names = retargetable(queues).map { name(of: $0) }
        return names.isEmpty ? nil : Figures.list(names, limit: limit)
    }

    /// Why the program cannot give these queues a target, and what their caller can do instead.
    ///
    /// - Parameter queues: queues of which none is the program's.
    /// - Returns: an imperative sentence.
    func callerAdvice(_ queues: [QueueIndex]) -> String {
        switch queues.first.map({ owner(of: $0) }) {
        case .swiftConcurrency:
            "Swift's tasks run here, and their executor has no target queue: start fewer tasks at a time, or do small steps "
                + "in one task."
        case .library(let library):
            "\(library) made \(Figures.list(queues.map { name(of: $0) })): have fewer of its operations under way at a time."
        default:
            "Submit to a serial queue of the program's own rather than to \(Figures.list(queues.map { name(of: $0) })), "
                + "or submit several items as one."
        }
    }
}
