import DispatchModel
import Glibc
import TraceReports

/// A live view on a terminal, from its begin to the key that ends it.
final class LiveSession {
    private let source: LiveSource
    private let inColor: Bool
    private var view = LiveView()
    private var pace: LivePace
    /// The time of the next reading; nil when the recording is over.
    private var next: Nanoseconds?
    /// Whether a reading showed the end of the recording.
    private var isOver = false

    init(_ source: LiveSource, interval: Nanoseconds, inColor: Bool) {
        self.source = source
        pace = LivePace(interval: interval)
        self.inColor = inColor
        next = MonotonicClock.now
    }

    /// Shows the view until the user leaves it.
    ///
    /// - Throws: ``CommandFailure`` when the terminal cannot be used.
    func run() throws {
        var ending: Int32?
        do {
            let screen = try Screen()
            while !view.isFinished, ending == nil {
                readIfDue()
                let (columns, rows) = screen.size
                screen.draw(view.frame(columns: columns, rows: rows, inColor: inColor))
                for event in try screen.wait(atMost: timeLeft) {
                    switch event {
                    case .key(let key): press(key)
                    case .needsRedraw: break
                    case .end(let signal): ending = signal
                    case .closed: ending = SIGHUP
                    }
                }
            }
        }
        guard let ending, ending != SIGINT else { return }
        // The parent process sees that a signal ended this process.
        _ = signal(ending, SIG_DFL)
        raise(ending)
    }

    private func press(_ key: LiveKey) {
        let before = view.openedQueue
        let wasPaused = view.isPaused
        view.press(key)
        // The items of a queue are collected once it is open.
        if view.openedQueue != before || wasPaused && !view.isPaused, !isOver || view.openedQueue != nil {
            next = MonotonicClock.now
        }
    }

    private func readIfDue() {
        guard let due = next, !view.isPaused else { return }
        guard MonotonicClock.now >= due else { return }
        let meter = LivePace.Meter()
        do {
            if let (reading, symbols) = try source.next(opened: view.openedQueue) {
                view.show(LiveSnapshot(reading, symbols: symbols))
                isOver = !reading.isRecording
            }
        } catch {
            // The recorder may have replaced a file during the reading.
            view.show(problem: "This reading failed: \(error)")
        }
        let pause = pace.pause(after: meter.cost)
        next = isOver ? nil : MonotonicClock.now + pause
    }

    /// The time until the next reading in milliseconds; nil without one.
    private var timeLeft: Int32? {
        guard let next, !view.isPaused else { return nil }
        return Int32(clamping: max(next - MonotonicClock.now, .zero).count / 1_000_000 + 1)
    }
}
