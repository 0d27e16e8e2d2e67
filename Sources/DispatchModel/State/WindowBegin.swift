/// The counters of the threads at the begin of a window, which are subtracted at its end.
struct WindowBegin {
    struct Thread {
        var times: ProcessorTimes
        var paused: Nanoseconds
    }

    let threads: [Thread]

    /// The counters of a thread; nil for a thread that did not exist yet.
    func thread(_ position: Int) -> Thread? { position < threads.count ? threads[position] : nil }
}
