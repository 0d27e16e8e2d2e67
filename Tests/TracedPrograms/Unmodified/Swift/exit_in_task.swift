// exit() from a task while others sleep and run.
//: ends 17
import Foundation

@main
struct Program {
    static func main() async {
        for _ in 0..<4 { Task.detached { while !Task.isCancelled { await Task.yield() } } }
        Task { try? await Task.sleep(for: .seconds(3600)) }
        await Task.detached {
            print("leaving")
            exit(17)
        }.value
    }
}
