// Starts and stops sessions while tasks run. Usage: RestartedSessions FOLDER COUNT. Links the hooks.
import Foundation

@_silgen_name("qs_session_start")
func startSession(_ directory: UnsafePointer<CChar>, _ options: UnsafeRawPointer?, _ error: UnsafeMutablePointer<Int32>)
    -> Int32
@_silgen_name("qs_session_stop") @discardableResult
func stopSession() -> UInt64

actor Counter {
    private(set) var value = 0
    func increment() { value += 1 }
}

@Sendable func spin(_ counter: Counter) async {
    while !Task.isCancelled {
        await counter.increment()
        await Task.yield()
        async let one: Void = counter.increment()
        await Task.detached { await Counter().increment() }.value
        await one
        _ = await withUnsafeContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: 1) }
        }
        await Task.immediate { await Task.yield() }.value
    }
}

let counter = Counter()
let spinning = (0..<4).map { _ in Task.detached { await spin(counter) } }
for number in 0..<Int(CommandLine.arguments[2])! {
    var error: Int32 = 0
    let result = startSession("\(CommandLine.arguments[1])/\(number)", nil, &error)
    guard result == 0 else { fatalError("session \(number): \(result), errno \(error)") }
    try await Task.sleep(for: .milliseconds(3))
    stopSession()
    await Task.yield()
}
for task in spinning { task.cancel() }
for task in spinning { await task.value }
print("done")
