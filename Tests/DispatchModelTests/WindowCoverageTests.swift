import CTFReader
import Testing

@testable import DispatchModel

@Suite("The window of a flight recorder")
struct WindowCoverageTests {
    private func coverage(of window: Int64, isShortened: Bool, covered: Int64) -> WindowCoverage {
        WindowCoverage(
            window: RecordingWindow(nanoseconds: window, isShortened: isShortened), coveredNanoseconds: covered)
    }

    @Test("is complete when all overwritten events are older")
    func complete() {
        // The last event may be older than the snapshot, so the trace can be shorter than the window.
        let coverage = coverage(of: 60_000_000_000, isShortened: false, covered: 1_000_000_000)
        #expect(coverage.reason == "events before its window of 60 s were removed")
        #expect(coverage.shortage == nil)
    }

    @Test("is shortened when the memory was too small, and the part is stated")
    func shortened() {
        let coverage = coverage(of: 60_000_000_000, isShortened: true, covered: 41_399_000_000)
        #expect(coverage.reason == "earlier events were overwritten")
        #expect(
            coverage.shortage
                == "The memory was too small for the window of 60 s: the trace has the last 41.3 s of it. A larger "
                + "--memory keeps more.")
    }

    @Test("has at most its length", arguments: [(Int64.max, "500 ms"), (-1, "0 ms"), (7_900_000, "7 ms")])
    func limits(covered: Int64, text: String) {
        let shortage = coverage(of: 500_000_000, isShortened: true, covered: covered).shortage
        #expect(shortage?.contains("the trace has the last \(text) of it.") == true)
    }
}
