import Dispatch
import GRDB
import Hummingbird

/// A row of the table.
struct Book: Codable, FetchableRecord, PersistableRecord, ResponseEncodable {
    var id: Int64
    var title: String
    var visits: Int
}

/// An actor that every request for a book calls.
actor Visitors {
    private(set) var total = 0

    func count() { total += 1 }
}

/// The books, in a database with one writer.
struct Library: Sendable {
    /// The writes of the database run on this queue, one at a time.
    let writes = DispatchQueue(label: "library.writes")
    private let database: DatabasePool

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "library"
        configuration.writeTargetQueue = writes
        database = try DatabasePool(path: path, configuration: configuration)
        try database.write { database in
            try database.create(table: "book") { table in
                table.primaryKey("id", .integer)
                table.column("title", .text).notNull()
                table.column("visits", .integer).notNull()
            }
            for id in 1...100 { try Book(id: Int64(id), title: "Volume \(id)", visits: 0).insert(database) }
        }
    }

    /// Counts a visit, and returns the book.
    func visit(_ id: Int64) async throws -> Book {
        let book = try await database.write { database in
            try database.execute(sql: "UPDATE book SET visits = visits + 1 WHERE id = ?", arguments: [id])
            return try Book.fetchOne(database, key: id)
        }
        guard let book else { throw HTTPError(.notFound) }
        return book
    }

    /// The planted problem: a second or more of work on the queue of the writer, during which every visit waits.
    func rebuild() async throws -> Int {
        try await database.write { database in
            try Int.fetchOne(
                database,
                sql: """
                    WITH RECURSIVE entry(number) AS
                        (SELECT 1 UNION ALL SELECT number + 1 FROM entry WHERE number < 4000000)
                    SELECT COUNT(DISTINCT number % 1000) FROM entry
                    """) ?? 0
        }
    }
}
