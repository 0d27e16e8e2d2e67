// A registry with a lazy shared value registers itself on the main thread, which needs the shared value too.
//: source https://github.com/pointfreeco/swift-dependencies/pull/219
//: detector deadlock
//: code Registry.init
//: hangs
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class Registry: @unchecked Sendable {
    static let current = Registry()
    private var observers = 0

    private init() {
        if fixed {
            DispatchQueue.main.async { self.observers += 1 }
        } else {
            DispatchQueue.main.sync { observers += 1 }
        }
    }

    func value() -> Int { 7 }
}

let reader = Thread { print("background", Registry.current.value()) }
reader.start()
usleep(200_000)
print("main", Registry.current.value())
DispatchQueue.main.async { exit(0) }
dispatchMain()
