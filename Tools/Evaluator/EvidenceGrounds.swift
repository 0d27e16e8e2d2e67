import DispatchModel

/// The records that give meaning to the evidence of findings, in addition to the moments that the evidence names.
///
/// ```
///   evidence    wait_begin ──────────────── wait_end
///   item     ├───────────────────────────────────────┤      its submission identifies the queue
///   signal                               ▲                  identifies the thread that was waited for
/// ```
final class EvidenceGrounds: ModelObserver {
    /// The time and the thread of a record.
    struct Moment: Hashable {
        let time: Timestamp
        let thread: ThreadIndex
    }

    private struct Run {
        let begin: Timestamp
        let end: Timestamp
        let submission: Moment
    }

    var followed: ObservationKinds { [.items, .blockedWaits, .taskWaits, .tasks, .applies, .applyIterations] }
    /// Submission and end of each item, by the moment of its begin.
    private var items: [Moment: [Moment]] = [:]
    /// Items of each thread, sorted by their end.
    private var runs: [ThreadIndex: [Run]] = [:]
    /// The thread that held the queue, by the moment at which a sync was called.
    private var holders: [Moment: ThreadIndex] = [:]
    /// The signal that ended each wait, by the moment of the wait's begin.
    private var signals: [Moment: Moment] = [:]
    /// The object that a task awaits, by the moment of its suspension.
    private var awaited: [Moment: UInt64] = [:]
    /// The longest iteration of each thread, by call of concurrentPerform.
    private var iterations: [UInt64: [ThreadIndex: ApplyIteration]] = [:]
    /// Begin and end of these iterations, by the moment at which concurrentPerform was called.
    private var busiest: [Moment: [Moment]] = [:]
    /// The moment at which each task was created.
    private var makings: [UInt64: Moment] = [:]

    func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .blockedWait(let wait):
            guard let signal = wait.signal else { return }
            signals[Moment(time: wait.begin, thread: wait.thread)] = Moment(time: signal.time, thread: signal.thread)
        case .applyIteration(let iteration):
            let longest = iterations[iteration.apply]?[iteration.thread]
            if longest.map({ $0.end - $0.begin < iteration.end - iteration.begin }) ?? true {
                iterations[iteration.apply, default: [:]][iteration.thread] = iteration
            }
        case .apply(let call):
            busiest[Moment(time: call.begin, thread: call.thread)] =
                iterations.removeValue(forKey: call.id)?.values.flatMap {
                    [Moment(time: $0.begin, thread: $0.thread), Moment(time: $0.end, thread: $0.thread)]
                }
        case .taskWait(let wait): awaited[Moment(time: wait.began, thread: wait.beganOn)] = wait.object
        case .task(let task):
            if let thread = task.createdOn { makings[task.number] = Moment(time: task.createdAt, thread: thread) }
        default: break
        }
    }

    func observe(_ item: Item, in model: DispatchModel) {
        var moments = [Moment(time: item.endedAt, thread: item.thread)]
        if let thread = item.enqueuedOn {
            let submission = Moment(time: item.enqueuedAt, thread: thread)
            moments.append(submission)
            if item.isSync { holders[submission] = item.handedOverBy ?? item.blockedBy }
            if !item.isForeign {
                runs[item.thread, default: []].append(
                    Run(begin: item.beganAt, end: item.endedAt, submission: submission))
            }
        }
        items[Moment(time: item.beganAt, thread: item.thread), default: []] += moments
    }

    /// A moment, and the moments that are needed to understand it. For the begin of an item: its submission and its
    /// end. Within an item: the submission and the begin of the item. For a wait: the signal that ended it. For a
    /// task's wait: the creation of the awaited task. For concurrentPerform: the longest iteration of each of its
    /// threads.
    func all(at moment: Moment) -> [Moment] {
        var moments = [moment] + items[moment, default: []] + busiest[moment, default: []]
        if let run = runs[moment.thread]?.filter({ $0.begin < moment.time && moment.time < $0.end })
            .max(by: { $0.begin < $1.begin })
        {
            moments += [run.submission, Moment(time: run.begin, thread: moment.thread)]
        }
        if let signal = signals[moment] { moments.append(signal) }
        if let making = awaited[moment].flatMap({ makings[$0] }) { moments.append(making) }
        return moments
    }

    /// The thread that held the queue when a sync was called at this moment.
    func holder(at moment: Moment) -> ThreadIndex? { holders[moment] }
}
