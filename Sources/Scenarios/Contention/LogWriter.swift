import Dispatch

/// Threads of a service answer requests, and write one line about each into a log.
struct LogWriter: Scenario {
    static let id = "log-writer"
    static let detector = "lock-contention"
    static let gain = Gain.blockedTime
    static let summary = "The threads of a service format their log lines while they hold the log's lock."
    static let repair = "Each thread formats its line first, and holds the lock only to append it."

    let label: String
    let threads: Int
    let lines: Int
    let formatting: Duration
    let answering: Duration

    init(_ variation: inout Variation) {
        label = variation.label("log")
        threads = variation.count("threads", 3...6)
        lines = variation.count("lines", 40...80)
        formatting = variation.duration("formatting", .microseconds(400)...(.microseconds(900)))
        // Without other work a thread would acquire the lock again before a waiting thread has woken.
        answering = variation.duration("answering", .microseconds(200)...(.microseconds(400)))
    }

    func run(repaired: Bool) {
        let log = Log()
        ProgramThread.run(threads) { thread in
            for line in 0..<lines {
                Work.compute(for: answering)
                if repaired {
                    let text = format(line, by: thread)
                    log.lock.withLock { log.text += text }
                } else {
                    log.lock.withLock { log.text += format(line, by: thread) }
                }
            }
        }
        DispatchQueue(label: label).sync { log.lock.withLock { log.text = "" } }
    }

    @inline(never)
    private func format(_ line: Int, by thread: Int) -> String {
        Work.compute(for: formatting)
        return "request \(line) of thread \(thread) answered\n"
    }

    private final class Log: @unchecked Sendable {
        let lock = Lock()
        // Under the lock.
        var text = ""
    }
}
