import CEventCost
import Dispatch
import Foundation
import Queuescope

// Usage: EventCost [--check]. Prints the cost of recording compared with its lower bound or with an alternative, each
// pair timed in alternating rounds. With --check the exit status is 1 if a budget is exceeded.

/// One comparison and its budget.
struct Row {
    enum Budget {
        /// At most this multiple of the first operation.
        case ratio(Double)
        /// At most this many nanoseconds more than the first operation.
        case difference(Double)
        /// No budget; the row is for information.
        case none
    }

    let name: String
    let rounds: PairedRounds
    let budget: Budget

    var isKept: Bool {
        switch budget {
        case .ratio(let limit): rounds.ratio <= limit
        case .difference(let limit): rounds.difference <= limit
        case .none: true
        }
    }

    var line: String {
        let limit =
            switch budget {
            case .ratio(let limit): String(format: "≤ %.2f ×", limit)
            case .difference(let limit): String(format: "≤ %.1f ns more", limit)
            case .none: "–"
            }
        let verdict = if case .none = budget { "" } else { isKept ? "  kept" : "  MISSED" }
        return String(
            format: "%@  %7.2f ns  %7.2f ns  %5.2f ×  %6.2f ns  ",
            name.padding(toLength: 52, withPad: " ", startingAt: 0),
            rounds.firstMedian, rounds.secondMedian, rounds.ratio, rounds.difference) + limit + verdict
    }
}

let traced = TracedQueue(label: "benchmark")
// The same queue object, so that the two operations differ only in the function that is called.
let plain = traced.underlying
@inline(never) func plainSync(_ count: Int64) { for _ in 0..<count { plain.sync {} } }
@inline(never) func tracedSync(_ count: Int64) { for _ in 0..<count { traced.sync {} } }
// Closures of real programs capture something.
final class Captured: Sendable {}
@inline(never) func plainAsync(_ count: Int64) {
    let captured = Captured()
    for _ in 0..<count { plain.async { withExtendedLifetime(captured) {} } }
    plain.sync {}
}
@inline(never) func tracedAsync(_ count: Int64) {
    let captured = Captured()
    for _ in 0..<count { traced.async { withExtendedLifetime(captured) {} } }
    traced.sync {}
}

var rows: [Row] = []

// While no session records.
rows.append(
    Row(
        name: "a call site with tracing off, against an empty loop",
        rounds: PairedRounds(rounds: 200, operations: 100_000, first: bench_empty, second: bench_is_recording),
        budget: .difference(1)))
rows.append(
    Row(
        name: "TracedQueue.sync with tracing off, against sync",
        rounds: PairedRounds(rounds: 600, operations: 10_000, first: plainSync, second: tracedSync),
        budget: .difference(1)))
rows.append(
    Row(
        name: "TracedQueue.async with tracing off, against async",
        rounds: PairedRounds(rounds: 400, operations: 2_000, first: plainAsync, second: tracedAsync), budget: .none))

// While a session records.
let directory = NSTemporaryDirectory() + "/queuescope-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
try TraceSession.start(directory: directory)
rows.append(
    Row(
        name: "one event, against TSC read + 32-byte store",
        rounds: PairedRounds(rounds: 1000, operations: 3_000, first: bench_floor, second: bench_item_begin),
        budget: .ratio(1.4)))
rows.append(
    Row(
        name: "an item (3 events and its id), against 3 × that",
        rounds: PairedRounds(
            rounds: 1000, operations: 1_000, first: { bench_floor(3 * $0) }, second: bench_item), budget: .ratio(1.4)))
rows.append(
    Row(
        name: "one event, sustained over 30,000, packets included",
        rounds: PairedRounds(rounds: 200, operations: 30_000, first: bench_floor, second: bench_item_begin),
        budget: .none))
rows.append(
    Row(
        name: "TracedQueue.sync recorded, against sync",
        rounds: PairedRounds(rounds: 300, operations: 2_000, first: plainSync, second: tracedSync), budget: .none))
rows.append(
    Row(
        name: "TracedQueue.async recorded, against async",
        rounds: PairedRounds(rounds: 300, operations: 2_000, first: plainAsync, second: tracedAsync), budget: .none))
_ = TraceSession.stop()
try? FileManager.default.removeItem(atPath: directory)

print("what" + String(repeating: " ", count: 50) + "      first      second    ratio  difference  budget")
for row in rows { print(row.line) }
if CommandLine.arguments.contains("--check"), rows.contains(where: { !$0.isKept }) { exit(1) }
