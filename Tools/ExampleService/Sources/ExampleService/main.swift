import Foundation
import GRDB
import Hummingbird
import Logging
import Metrics
import QueuescopeMetrics
import QueuescopeService

guard CommandLine.arguments.count == 4, let port = Int(CommandLine.arguments[1]) else {
    FileHandle.standardError.write(Data("usage: ExampleService PORT DATABASE TRACE\n".utf8))
    exit(64)
}
let (databasePath, tracePath) = (CommandLine.arguments[2], CommandLine.arguments[3])

let metrics = TextMetrics()
MetricsSystem.bootstrap(metrics)

let library = try Library(path: databasePath)
let visitors = Visitors()

let router = Router()
router.get("books/:id") { _, context -> Book in
    await visitors.count()
    return try await library.visit(context.parameters.require("id", as: Int64.self))
}
router.get("visitors") { _, _ -> String in "\(await visitors.total)\n" }
router.get("rebuild") { _, _ -> String in "\(try await library.rebuild()) entries\n" }
router.get("metrics") { _, _ -> String in metrics.text }

// Hummingbird runs its services before the server, and ends them after it.
let logger = Logger(label: "library")
let recorder = RecordingService(.init(directory: tracePath), logger: logger)
let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "library"),
    services: [recorder], logger: logger)
let loop = application.eventLoopGroup.next()
WaitMetrics(
    [.mainQueue, .queue(library.writes), .actor(visitors), .eventLoop("http") { item in loop.execute(item) }],
    interval: .milliseconds(100))
// Ends on SIGTERM.
try await application.runService()
