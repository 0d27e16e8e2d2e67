// A container resolves a service under a lock, and the service's factory resolves another one.
//: source https://github.com/Swinject/Swinject/issues/351
//: detector deadlock
//: code Container.resolve
//: hangs
//: also hang
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class Container {
    private let lock: any NSLocking = fixed ? NSRecursiveLock() : NSLock()
    private var factories: [String: (Container) -> String] = [:]

    func register(_ name: String, _ factory: @escaping (Container) -> String) { factories[name] = factory }

    func resolve(_ name: String) -> String {
        lock.lock()
        defer { lock.unlock() }
        return factories[name]?(self) ?? "none"
    }
}

let container = Container()
container.register("logger") { _ in "logger" }
container.register("service") { "service with \($0.resolve("logger"))" }
print(container.resolve("service"))
