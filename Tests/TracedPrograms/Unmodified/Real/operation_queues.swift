// A small build system with OperationQueue: parses, compiles two modules at a time, links. One part is cancelled.
import Foundation

final class Build: @unchecked Sendable {
    private let lock = NSLock()
    private var objects: [String: UInt64] = [:]
    private var text = ""

    func parse(_ module: String) -> UInt64 {
        module.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }

    func compile(_ module: String) {
        var hash = parse(module)
        for _ in 0..<20_000 { hash = (hash ^ (hash >> 31)) &* 0x9E37_79B9_7F4A_7C15 }
        lock.withLock { objects[module] = hash }
    }

    func link() {
        lock.withLock { text = objects.keys.sorted().map { "\($0):\(objects[$0]! % 1000)" }.joined(separator: " ") }
    }

    var product: String { lock.withLock { text } }
}

let build = Build()
let compiling = OperationQueue()
compiling.name = "Compiling"
compiling.maxConcurrentOperationCount = 2
let linking = OperationQueue()
linking.name = "Linking"
linking.qualityOfService = .userInitiated

let link = BlockOperation { build.link() }
for number in 0..<12 {
    let module = "Module\(number)"
    let parse = BlockOperation { _ = build.parse(module) }
    let compile = BlockOperation { build.compile(module) }
    compile.addDependency(parse)
    link.addDependency(compile)
    if number == 11 { compile.cancel() }
    compiling.addOperations([compile, parse], waitUntilFinished: false)
}
linking.addOperation(link)
linking.waitUntilAllOperationsAreFinished()
compiling.waitUntilAllOperationsAreFinished()
print(build.product)
