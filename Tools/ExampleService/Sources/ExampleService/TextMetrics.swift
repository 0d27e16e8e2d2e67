import Metrics
import Synchronization

/// A backend of swift-metrics that keeps sums and last values, and prints them as Prometheus reads them. A real service
/// uses a backend of its monitoring system.
final class TextMetrics: MetricsFactory {
    /// The value of a line by its name and dimensions.
    private let lines = Mutex<[String: Double]>([:])

    /// One metric.
    private final class Series: CounterHandler, RecorderHandler, TimerHandler {
        private let metrics: TextMetrics
        private let name: String
        private let dimensions: String

        init(_ metrics: TextMetrics, _ label: String, _ dimensions: [(String, String)]) {
            self.metrics = metrics
            name = String(label.map { $0 == "." ? "_" : $0 })
            let pairs = dimensions.map { name, value in "\(name.replacing(".", with: "_"))=\"\(value)\"" }
            self.dimensions = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
        }

        private func change(_ suffix: String, _ body: (inout Double) -> Void) {
            metrics.lines.withLock { body(&$0[name + suffix + dimensions, default: 0]) }
        }

        func increment(by amount: Int64) { change("_total") { $0 += Double(amount) } }
        func reset() { change("_total") { $0 = 0 } }
        func record(_ value: Int64) { record(Double(value)) }
        func record(_ value: Double) { change("") { $0 = value } }
        func recordNanoseconds(_ duration: Int64) {
            change("_seconds_count") { $0 += 1 }
            change("_seconds_sum") { $0 += Double(duration) / 1e9 }
            change("_seconds_max") { $0 = max($0, Double(duration) / 1e9) }
        }
    }

    /// A line for each value, in the order of their names.
    var text: String {
        lines.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Series(self, label, dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Series(self, label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Series(self, label, dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
