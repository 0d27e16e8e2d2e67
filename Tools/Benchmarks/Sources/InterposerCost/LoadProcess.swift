import Foundation

/// A running InterposerLoad: the unrecorded process, the recorded one, or the server of both.
final class LoadProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()

    /// - Parameters:
    ///   - command: the path of the executable, and its arguments.
    ///   - environment: variables to add to the environment of this process.
    /// - Throws: when the program cannot be started.
    init(_ command: [String], environment: [String: String]) throws {
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Runs one round.
    ///
    /// - Returns: the cost of one operation.
    /// - Throws: ``LoadError`` when the program prints anything else, or ends.
    func round() throws -> OperationCost {
        try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
        let line = try line()
        let values = line.split(separator: " ").compactMap { Double($0) }
        guard values.count == 3 else { throw LoadError(message: "unexpected output: \(line)") }
        return OperationCost(wall: values[0], processors: values[1], allocations: values[2])
    }

    /// Reads the next line of the program's output.
    ///
    /// - Throws: ``LoadError`` when the program ends.
    func line() throws -> String {
        while true {
            if let newline = pending.firstIndex(of: 10) {
                defer { pending.removeSubrange(...newline) }
                return String(decoding: pending[..<newline], as: UTF8.self)
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw LoadError(message: "the load program ended") }
            pending.append(data)
        }
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// The cost of one operation, with times in nanoseconds.
struct OperationCost {
    let wall: Double
    /// Processor time of all threads of the program, including Queuescope's own.
    let processors: Double
    /// Allocations of all threads of the program; 0 if they are not counted.
    let allocations: Double
}

struct LoadError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
