// Foundation's Process: output by pipes, exit status, signal, termination handler, environment, a missing program.
import Foundation

func shell(_ script: String) throws -> (output: String, status: Int32, signalled: Bool) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardOutput = pipe
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    ended.wait()
    let signalled = process.terminationReason == .uncaughtSignal
    return (String(decoding: output, as: UTF8.self), process.terminationStatus, signalled)
}

print(try shell("echo hello; exit 3"))
print(try shell("kill -KILL $$"))
print(try shell("env | grep -E '^(LD_PRELOAD|QUEUESCOPE)'"))
DispatchQueue(label: "processes").sync {
    print((try? shell("echo from a queue")) as Any)
}
do {
    _ = try Process.run(URL(fileURLWithPath: "/nonexistent/program"), arguments: [])
} catch { print("missing") }
