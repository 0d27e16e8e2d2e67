/// A request to the control socket of a process. `control_requests.h` of the recorder describes the protocol.
struct ControlRequest {
    enum Command: String {
        case status, start, stop, flush
    }

    static let version = 1
    let command: Command
    /// The options, as pairs of a key and a value.
    var options: [(key: String, value: String)] = []

    init(_ command: Command) { self.command = command }

    mutating func add(_ key: String, _ value: String?) {
        if let value { options.append((key, value)) }
    }

    var bytes: [UInt8] {
        let words = ["queuescope", "\(Self.version)", command.rawValue] + options.map { "\($0.key)=\($0.value)" }
        return words.flatMap { Array($0.utf8) + [0] }
    }
}

/// The answer of a process.
struct ControlAnswer: Equatable {
    let isSuccess: Bool
    private let values: [String: String]

    /// Nil when the bytes are no answer of the protocol.
    init?(_ bytes: [UInt8]) {
        let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 3, words[0] == "queuescope", ["ok", "error"].contains(words[2]) else { return nil }
        isSuccess = words[2] == "ok"
        let pairs = words.dropFirst(3).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        values = Dictionary(pairs.map { ($0[0], $0.count == 2 ? $0[1] : "") }) { first, _ in first }
    }

    subscript(key: String) -> String? { values[key] }

    func number(_ key: String) -> Int64? { values[key].flatMap { Int64($0) } }
}
