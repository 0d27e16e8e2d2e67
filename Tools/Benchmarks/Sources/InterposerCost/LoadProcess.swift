import Foundation

/// One running InterposerLoad: plain, recorded, or the server of both.
final class LoadProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()

    /// - Parameters:
    ///   - command: the path of the executable, and its arguments.
    ///   - environment: variables on top of this process's own.
    /// - Throws: when the program cannot be started.
    init(_ command: [String], environment: [String: String]) throws {
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Does one round.
    ///
    /// - Returns: what one operation took.
    /// - Throws: ``LoadError`` when the program says something else, or ends.
    func round() throws -> OperationCost {
        try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
        let line = try line()
        let values = line.split(separator: " ").compactMap { Double($0) }
        guard values.count == 3 else { throw LoadError(message: "unexpected output: \(line)") }
        return OperationCost(wall: values[0], processors: values[1], allocations: values[2])
    }

    /// The next line that the program prints.
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

/// What one operation took, the times in nanoseconds.
struct OperationCost {
    let wall: Double
    /// Of all threads of the program, Queuescope's own among them.
    let processors: Double
    /// Of all threads of the program; 0 when they are not counted.
    let allocations: Double
}

struct LoadError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
