/// The counters of the threads at the begin of a window, which are subtracted at its end.
struct WindowBegin {
    struct Thread {
        var times: ProcessorTimes
        var paused: Nanoseconds
    }

    fileprivate var threads: [Thread]

    /// The counters of a thread; nil for a thread that did not exist yet.
    func thread(_ position: Int) -> Thread? { position < threads.count ? threads[position] : nil }
}

extension ModelState {
    /// Starts to report to the observer, and restarts everything that is counted over the whole trace.
    mutating func beginWindow(at time: Int64) -> WindowBegin {
        unmute()
        invariants = ModelInvariants()
        blame.forgetTimes(before: time)
        for queue in forest.activity.indices { forest.activity[queue].forgetLoad(at: time) }
        for pool in forest.pools.indices { forest.pools[pool].forgetCounts() }
        return WindowBegin(
            threads: threads.indices.map { thread in
                let moment = Moment(time: time, thread: thread)
                return .init(times: processors.times(at: moment), paused: processors.pausedTime(at: moment))
            })
    }
}

extension DispatchModel {
    /// Restarts everything that is counted over the whole trace.
    func forgetCounts() {
        omittedGroups = 0
        omittedSemaphores = 0
        omittedDomainOrders = 0
        lostSwitches = 0
        clockReadings = 0
        clockSteps = []
        messages = []
        omittedMessages = 0
    }
}
