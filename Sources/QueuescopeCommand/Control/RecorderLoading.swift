import FoundationEssentials
import Glibc
import ProcessInspection
import Symbolication

/// Loads the recorder into a running process that was started without it. The process then has a control socket and is
/// dormant, as if the recorder had been preloaded.
enum RecorderLoading {
    /// The function of the preload object that opens the control socket. It returns 0 or an error number.
    private static let entry = "qs_attach"
    /// A function that a program with ThreadSanitizer exports.
    private static let threadSanitizer = "__tsan_init"

    /// Loads the recorder.
    ///
    /// - Parameter id: a process without a control socket.
    /// - Throws: ``CommandFailure`` with the reason and the remedy.
    static func load(into id: pid_t) throws -> ControlledProcess {
        if ExecutableKind(path: "/proc/\(id)/exe") == .linkedWithInterposer {
            throw CommandFailure(
                .unavailable,
                "process \(id) (\(ProcessFacts.name(of: id))) links the recorder, and has no control socket. Start it "
                    + "with QUEUESCOPE_CONTROL=1, or let it call TraceSession.openControl()")
        }
        if ELFFile(path: "/proc/\(id)/exe")?.exportedFunctions.contains(threadSanitizer) == true {
            throw CommandFailure(
                .unavailable,
                "process \(id) (\(ProcessFacts.name(of: id))) is built with ThreadSanitizer, which must create each "
                    + "thread itself. Start it with queuescope record")
        }
        let path = try PreloadObject().path
        // The object of an earlier version has hooks that only work when it is preloaded.
        guard ELFFile(path: path)?.exportedFunctions.contains(entry) == true else {
            throw CommandFailure(
                .unavailable,
                "process \(id) (\(ProcessFacts.name(of: id))) has no control socket, and \(path) can only be "
                    + "preloaded. Use the library of this version of queuescope")
        }
        let report: ObjectLoader.Report
        do throws(InspectionError) {
            report = try load(path, into: id)
        } catch {
            throw CommandFailure(.unavailable, error.sentence)
        }
        guard report.result == 0 else {
            throw CommandFailure(
                .unavailable,
                "process \(id) cannot open its control socket: \(String(cString: strerror(report.result)))")
        }
        guard let process = try ControlledProcess.find(id) else {
            throw CommandFailure(.unavailable, "process \(id) has loaded the recorder, and closed its control socket")
        }
        let time = (Double(report.stoppedFor) / 1e6).rounded(.up)
        StandardError.write(
            "queuescope: loaded the recorder into \(ProcessFacts.name(of: id)) (process \(id)). One of its threads was "
                + "stopped for at most \(Int(time)) ms.\n")
        return process
    }

    /// Loads the object, or a copy of it if the process cannot read it.
    private static func load(_ path: String, into id: pid_t) throws(InspectionError) -> ObjectLoader.Report {
        if isSameFile(path, "/proc/\(id)/root\(path)") {
            do throws(InspectionError) {
                return try ObjectLoader.load(path, calling: entry, in: id)
            } catch {
                guard error.code == .notOpened else { throw error }
            }
        }
        let copy = try ObjectCopy(of: path, for: id)
        defer { copy.remove() }
        return try ObjectLoader.load(copy.path, calling: entry, in: id)
    }

    private static func isSameFile(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev
            && one.st_ino == other.st_ino
    }
}
