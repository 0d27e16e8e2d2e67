import CKernel
import CTFReader
import FoundationEssentials
import Glibc

/// The facts that the doctor checks. All facts of the system are values, so that tests can describe other machines.
struct Machine {
    /// Returns the text of a file in `/proc`, `/sys` or `/etc`; nil when it cannot be read.
    var text: (String) -> String?
    var environment: [String: String] = [:]
    /// The name of the C library from `confstr`, such as `glibc 2.36`.
    var libc = ""
    var pageBytes = 4096
    /// The program to check.
    var program: String?
    /// The library to preload, or the reason why it was not found.
    var preload: Result<PreloadObject, any Error> = .failure(CommandFailure(.unavailable, "there is none"))
    /// The result of a test recording; nil when it produced no trace.
    var trial: RecordingTrial?
    /// Can this process open perf events?
    var opensPerfEvents = false

    /// The text of a file without surrounding white space; empty when it cannot be read.
    func line(_ path: String) -> String {
        (text(path) ?? "").trimmed
    }

    /// The value in the first line `name: value` of a file such as `/proc/self/status`.
    func field(_ name: String, of path: String) -> String? {
        for line in (text(path) ?? "").split(separator: "\n") where line.hasPrefix(name) {
            let parts = line.split(separator: ":", maxSplits: 1).map(\.trimmed)
            if parts.count == 2, parts[0] == name { return parts[1] }
        }
        return nil
    }

    /// The machine that this process runs on.
    ///
    /// - Parameter program: the program to check; nil for none.
    /// - Returns: the description, including the result of a test recording.
    static func current(program: String?) -> Machine {
        let preload = Result { try PreloadObject() }
        return Machine(
            text: ProcFile.text,
            environment: ProcessInfo.processInfo.environment, libc: nameOfLibc(), pageBytes: Int(getpagesize()),
            program: program, preload: preload,
            trial: RecordingTrial.run(try? preload.get()), opensPerfEvents: qs_perf_events_arm())
    }

    private static func nameOfLibc() -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &buffer, buffer.count) > 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A version from `uname` or libc. Comparison uses the first two numbers.
struct SystemVersion: Comparable {
    let major: Int
    let minor: Int

    init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The first two numbers of `6.1.0-18-amd64` or `2.36`; nil when the text does not begin with two.
    init?(_ text: some StringProtocol) {
        let numbers = text.split(separator: ".").prefix(2).map { Int($0.prefix { $0.isASCII && $0.isNumber }) }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
        self.init(major, minor)
    }

    static func < (left: SystemVersion, right: SystemVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}

extension StringProtocol {
    /// The text without surrounding white space.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
