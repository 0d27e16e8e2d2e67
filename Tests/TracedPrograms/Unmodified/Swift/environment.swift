// ProcessInfo's environment, arguments and file descriptors of a Foundation program.
import Foundation

let environment = ProcessInfo.processInfo.environment
print(environment.keys.filter { $0.hasPrefix("LD_PRELOAD") || $0.hasPrefix("QUEUESCOPE") }.sorted())
print(getenv("LD_PRELOAD") == nil, environment.isEmpty)
print(CommandLine.arguments.count, ProcessInfo.processInfo.processName)
DispatchQueue.global().sync {
    setenv("OWN", "1", 1)
    print(ProcessInfo.processInfo.environment["OWN"] ?? "none")
}
