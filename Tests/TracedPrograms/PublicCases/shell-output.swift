// A tool runs a command and waits for its end before it reads the output. The output is larger than a pipe.
//: source https://github.com/kareman/SwiftShell/issues/52
//: detector hang|deadlock
//: code run(_:)
//: hangs
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

func run(_ command: String) throws -> Int {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = output
    try process.run()
    if fixed {
        let count = output.fileHandleForReading.readDataToEndOfFile().count
        process.waitUntilExit()
        return count
    }
    process.waitUntilExit()
    return output.fileHandleForReading.readDataToEndOfFile().count
}

print(try run("head -c 100000 /dev/zero"))
