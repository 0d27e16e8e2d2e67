import Foundation
import GRDB
import Hummingbird

/// A row of the table.
struct Note: Codable, FetchableRecord, PersistableRecord, ResponseEncodable {
    var id: Int64?
    var text: String
}

/// An actor that every request of its route calls.
actor Counter {
    private var hits = 0

    /// Counts a request, which takes a few microseconds.
    func count() -> Int {
        hits += 1
        var sum = 0
        for index in 0..<20_000 { sum &+= index ^ sum }
        return hits &+ (sum & 0)
    }
}

guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[1]) else {
    FileHandle.standardError.write(Data("usage: FieldServer PORT DATABASE\n".utf8))
    exit(64)
}

let database = try DatabasePool(path: CommandLine.arguments[2])
try await database.write { database in
    try database.create(table: "note", ifNotExists: true) { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("text", .text).notNull()
    }
}

let router = Router()
router.post("notes") { request, context -> HTTPResponse.Status in
    let note = try await request.decode(as: Note.self, context: context)
    try await database.write { try note.insert($0) }
    return .created
}
router.get("notes") { _, _ -> [Note] in
    try await database.read { try Note.order(sql: "id DESC").limit(20).fetchAll($0) }
}

let counter = Counter()
router.get("count") { _, _ -> String in "\(await counter.count())" }
// Blocks a thread of the cooperative pool.
router.get("slow") { _, _ -> String in
    usleep(20_000)
    return "slow"
}

// Ends on SIGTERM, like a service.
let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "field"))
try await application.runService()
