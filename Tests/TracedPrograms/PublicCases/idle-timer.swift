// A connection pool replaces the timer of an idle connection and drops the continuation that the old timer awaits.
//: source https://github.com/vapor/postgres-nio/pull/641
//: detector continuation-never-resumed
//: code runTimer
//: hangs
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

actor Pool {
    private var timer: CheckedContinuation<Void, Never>?

    func runTimer() async {
        await withCheckedContinuation { continuation in
            if fixed { timer?.resume() }
            timer = continuation
        }
    }

    func cancelTimer() {
        timer?.resume()
        timer = nil
    }
}

let pool = Pool()
let timers = (0..<2).map { _ in Task { await pool.runTimer() } }
try await Task.sleep(for: .milliseconds(100))
await pool.cancelTimer()
for timer in timers { await timer.value }
print("closed")
