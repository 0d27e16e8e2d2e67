import DispatchModel

/// Counts of busy queues, actors and event loops. All reports use these counts. A queue is busy when it ran an item, or
/// when an item waited in it at the end of the trace.
///
/// The model stores actors and event loops as queues, but the program does not use them as queues. So they have
/// separate counts.
package struct BusyQueues: Encodable {
    package private(set) var queues = 0
    package private(set) var actors = 0
    package private(set) var loops = 0

    /// - Parameter analysis: the analysis; it has statistics of every busy queue.
    package init(in analysis: Analysis) {
        for statistics in analysis.queues {
            switch analysis.model[statistics.queue].kind {
            case .actor: actors += 1
            case .eventLoop: loops += 1
            default: queues += 1
            }
        }
    }
}
