import CTFReader
import DispatchModel
import FoundationEssentials
import Glibc

/// A test recording, which shows what the recorder can record on this machine. The settings of the
/// system are not sufficient to decide this, because containers and security modules forbid calls, too.
struct RecordingTrial {
    /// The source of the context switches.
    let processorTrack: ProcessorSource
    /// The reason why a better source is not available.
    let detail: String

    /// Records a short run of a program into a temporary directory; nil when that produces no trace.
    static func run(_ preload: PreloadObject?) -> RecordingTrial? {
        guard let preload else { return nil }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("queuescope-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
            return nil
        }
        let discarded = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(discarded) }
        let (program, arguments) = command
        var recording = Recording(
            program: program, arguments: arguments, directory: folder.appendingPathComponent("trace").path)
        recording.preload = preload
        recording.recordsProcessors = true
        recording.standardOutput = discarded
        guard (try? recording.run())?.trace != nil else { return nil }
        return try? read(recording.directory)
    }

    /// The command line to record: this executable, or a program with the recorder if this executable is static.
    private static var command: (program: String, arguments: [String]) {
        let own = "/proc/self/exe"
        if case .fullyStatic = ExecutableKind(path: own), let scenarios = try? CompanionProgram.scenarios() {
            return (scenarios.path, [])
        }
        return (own, ["--version"])
    }

    private static func read(_ path: String) throws -> RecordingTrial {
        let trace = try CTFTrace(path: path)
        let classIndex = trace.eventClasses.firstIndex { $0.name == "dispatch:processor_track" }
        var track = RecordingTrial(processorTrack: .none, detail: "the recorder has no processor track")
        _ = try trace.forEachEvent { record in
            guard record.classIndex == classIndex else { return }
            track = RecordingTrial(
                processorTrack: ProcessorSource(rawValue: UInt8(truncatingIfNeeded: record.unsigned(0))),
                detail: record.string(1))
        }
        return track
    }
}
