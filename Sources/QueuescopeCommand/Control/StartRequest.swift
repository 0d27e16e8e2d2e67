import FoundationEssentials
import Glibc

/// The options of a recording that a running process starts.
struct StartRequest {
    /// The pattern of the trace; nil uses the default of the process, or a new directory here.
    var output: TracePattern?
    var keep: KeptTraces?
    var mode: RecordingMode?
    var limit: ByteSize?
    var memory: ByteSize?
    /// The length of the past that a flight recorder in memory keeps.
    var window: TimeLimit?
    var recordsProcessors: Bool?
    var budget: RecordingBudget?
    /// The process ends the recording after this time.
    var duration: TimeLimit?
    /// Does the recording end with the connection?
    var isAttached = false

    /// The request for a process.
    ///
    /// - Parameter program: the name of its program.
    func request(for program: String) -> ControlRequest {
        var request = ControlRequest(.start)
        request.add("trace", output.map { Self.absolute($0.text) })
        request.add("fallback", Self.absolute(TracePattern.literal(TraceDirectory.fresh(for: program))))
        request.add("mode", mode?.rawValue)
        request.add("limit", limit.map { "\($0.bytes)" })
        request.add("memory", memory.map { "\($0.bytes)" })
        request.add("window_ns", window.map { "\($0.nanoseconds)" })
        request.add("kept_traces", keep?.traces.map { "\($0)" })
        request.add("kept_bytes", keep?.bytes.map { "\($0)" })
        request.add("processors", recordsProcessors.map { $0 ? "1" : "0" })
        switch budget {
        case .share(let millionths): request.add("budget_ppm", "\(millionths)")
        case .oneOf(let stride): request.add("item_stride", "\(stride)")
        case nil: break
        }
        request.add("for_ms", duration.map { "\(max(1, $0.nanoseconds / 1_000_000))" })
        request.add("attached", isAttached ? "1" : nil)
        return request
    }

    /// The process has another working directory.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : TracePattern.literal(FileManager.default.currentDirectoryPath) + "/" + path
    }
}
