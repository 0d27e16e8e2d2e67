import DispatchModel

/// What the findings of a recording rest upon beside the moments that their evidence names.
///
/// ```
///   evidence    wait_begin ──────────────── wait_end
///   item     ├───────────────────────────────────────┤      its submission says on which queue the thread waits
///   signal                               ▲                  says who was waited for
/// ```
final class EvidenceGrounds: ModelObserver {
    /// A record of a thread.
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
    /// By where each item begins: its submission and its end.
    private var items: [Moment: [Moment]] = [:]
    /// Items by thread, in the order of their end.
    private var runs: [ThreadIndex: [Run]] = [:]
    /// By where each sync was called: the thread that had the queue.
    private var holders: [Moment: ThreadIndex] = [:]
    /// By where each wait begins.
    private var signals: [Moment: Moment] = [:]
    /// By where each task is suspended: what it awaits.
    private var awaited: [Moment: UInt64] = [:]
    /// By call of concurrentPerform: the longest iteration of each of its threads.
    private var iterations: [UInt64: [ThreadIndex: ApplyIteration]] = [:]
    /// The same by where each call begins: how long each thread was busy.
    private var busiest: [Moment: [Moment]] = [:]
    /// Where each task was made.
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

    /// A moment, and what has to be known to understand it: of an item that begins then its submission and its end, of
    /// the item that the thread runs its submission and its begin, of a wait the signal that ended it, of a task's wait
    /// the making of the task that it awaits, of a concurrentPerform the longest iteration of each of its threads.
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

    /// The thread for which a sync that was called then had to wait.
    func holder(at moment: Moment) -> ThreadIndex? { holders[moment] }
}
