import DispatchAnalysis
import DispatchModel

/// How many queues were busy: ran an item, or had one that still waited when the trace ended. All reports count these.
///
/// Actors and event loops are queues to the model and none to the program, so they are counted apart.
struct BusyQueues: Encodable {
    private(set) var queues = 0
    private(set) var actors = 0
    private(set) var loops = 0

    /// - Parameter analysis: has the statistics of every busy queue.
    init(in analysis: Analysis) {
        for statistics in analysis.queues {
            switch analysis.model[statistics.queue].kind {
            case .actor: actors += 1
            case .eventLoop: loops += 1
            default: queues += 1
            }
        }
    }
}
