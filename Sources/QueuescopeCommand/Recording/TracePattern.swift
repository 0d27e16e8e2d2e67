import ArgumentParser
import FoundationEssentials
import Glibc

/// A path of a trace directory with letters that differ from one recording to the next: `traces/%n-%t`.
///
/// The recorder has the same letters for `QUEUESCOPE_TRACE` (`trace_pattern.h`).
struct TracePattern: ExpressibleByArgument, Equatable {
    let text: String
    private let parts: [Part]

    private enum Part: Equatable {
        case text(Substring)
        case programName, processID, time, hostName
    }

    /// Nil when a percent sign is not followed by `n`, `p`, `t`, `h` or a second percent sign.
    init?(argument: String) {
        text = argument
        var parts: [Part] = []
        var rest = argument[...]
        while !rest.isEmpty {
            let plain = rest.prefix { $0 != "%" }
            if !plain.isEmpty { parts.append(.text(plain)) }
            rest = rest.dropFirst(plain.count).dropFirst()
            guard plain.endIndex < argument.endIndex else { break }
            switch rest.popFirst() {
            case "n": parts.append(.programName)
            case "p": parts.append(.processID)
            case "t": parts.append(.time)
            case "h": parts.append(.hostName)
            case "%": parts.append(.text("%"))
            default: return nil
            }
        }
        self.parts = parts
    }

    /// Whether two recordings of a program can have different directories.
    var distinguishesRecordings: Bool { parts.contains(.time) || parts.contains(.processID) }

    /// Whether two directories of one process can differ.
    var variesWithTime: Bool { parts.contains(.time) }

    /// The path for a recording that starts now.
    ///
    /// - Parameters:
    ///   - program: the name or path of the program.
    ///   - process: the process id in the path.
    func path(for program: String, process: pid_t = getpid()) -> String {
        parts.map { part in
            switch part {
            case .text(let text): String(text)
            case .programName: Self.name(of: program)
            case .processID: "\(process)"
            case .time: Self.currentTime()
            case .hostName: Self.hostName()
            }
        }.joined()
    }

    /// The pattern of the recordings of a program, in which only the time and the process id differ. The recorder gets
    /// this pattern, because the recorded process may have another name, for example behind a script.
    func recordings(of program: String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): Self.literal(String(text))
            case .programName: Self.literal(Self.name(of: program))
            case .processID: "%p"
            case .time: "%t"
            case .hostName: Self.literal(Self.hostName())
            }
        }.joined()
    }

    private static func name(of program: String) -> String { URL(fileURLWithPath: program).lastPathComponent }

    /// A path in a form that the recorder does not change.
    static func literal(_ path: String) -> String { path.replacing("%", with: "%%") }

    /// `20261128T094100.250Z`.
    private static func currentTime() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        let seconds = String(unsafeUninitializedCapacity: 16) { bytes in
            bytes.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, "%Y%m%dT%H%M%S", &parts) }
        }
        let milliseconds = String(1000 + now.tv_nsec / 1_000_000).dropFirst()
        return "\(seconds).\(milliseconds)Z"
    }

    private static func hostName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .replacing("/", with: "_")
    }
}

/// The traces of a pattern that a new recording keeps: the newest ones of a number, or of a size.
struct KeptTraces: Equatable {
    /// As in the environment of the recorder: `10` or `5G`.
    let variable: String

    /// The number of traces; nil for a size.
    var traces: UInt32? { UInt32(variable) }
    /// The size; nil for a number of traces.
    var bytes: UInt64? { variable.hasSuffix("B") ? UInt64(variable.dropLast()) : nil }

    /// Parses a number of traces, or a size with a unit.
    ///
    /// - Throws: ``ValidationError`` with the reason.
    init(argument: String) throws {
        if argument.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt32(argument), number > 0 {
            variable = "\(number)"
        } else if argument.last?.isLetter == true, let size = try? ByteSize(argument: argument) {
            // A number without a unit would be a number of traces.
            variable = "\(size.bytes)B"
        } else {
            throw ValidationError("it is not a number of traces, such as 10, or a size with a unit, such as 5G.")
        }
    }
}
