import DispatchModel

/// The owner of a queue. Only the owner gets advice to change a queue.
enum QueueOwner: Equatable {
    /// The program created it.
    case program
    /// A global queue or the main queue of libdispatch. They are roots and cannot have a target.
    case libdispatch
    /// The global executor of Swift tasks.
    case swiftConcurrency
    /// A system library created it. The value is the file name of the library.
    case library(String)
}

extension Queue {
    /// Whether libdispatch created the queue.
    var isOfDispatch: Bool { kind == .global || kind == .main || label.hasPrefix("com.apple.") }
}

extension DispatchModel {
    /// Whether a queue belongs to the global executor of Swift tasks.
    func isSwiftExecutor(_ queue: QueueIndex) -> Bool { self[queue].isSwiftExecutor }

    /// The owner of a queue; the program if the owner was not recorded.
    func owner(of queue: QueueIndex) -> QueueOwner {
        if isSwiftExecutor(queue) { return .swiftConcurrency }
        let entity = self[queue]
        if entity.isOfDispatch { return .libdispatch }
        return SystemCode.library(of: entity.creationCode, in: self).map(QueueOwner.library) ?? .program
    }

    /// The queues that the program created and can therefore retarget.
    func retargetable(_ queues: [QueueIndex]) -> [QueueIndex] { queues.filter { owner(of: $0) == .program } }

    /// `app.a, app.b and 3 more`: the names of the queues that the program can retarget; nil if there are none.
    func retargetableNames(_ queues: [QueueIndex], limit: Int = 3) -> String? {
        let names = retargetable(queues).map { name(of: $0) }
        return names.isEmpty ? nil : Figures.list(names, limit: limit)
    }

    /// Advice for the caller of queues that the program cannot retarget.
    ///
    /// - Parameter queues: queues that the program does not own.
    /// - Returns: an imperative sentence.
    func callerAdvice(_ queues: [QueueIndex]) -> Advice {
        let names = Figures.list(queues.map { name(of: $0) })
        return switch queues.first.map({ owner(of: $0) }) {
        case .swiftConcurrency:
            Advice(
                .limitTasks, "Swift's tasks run here, and their executor has no target queue: start fewer tasks at a ",
                "time, or do small steps in one task.")
        case .library(let library):
            Advice(
                .useLibraryLess,
                "\(library, .library) created \(names, .queue): start fewer of its operations at a time.")
        default:
            Advice(
                .useOwnQueue,
                "Submit to a serial queue of the program instead of \(names, .queue), or submit several items as one.")
        }
    }
}
