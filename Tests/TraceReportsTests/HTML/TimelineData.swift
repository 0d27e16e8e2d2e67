import Foundation

/// Decodes the data of a page as `decoder.js` does, independently of the encoder.
struct TimelineData {
    struct Row: Equatable {
        var queue: Int64
        var begin: Int64
        var end: Int64
        var enqueued: Int64
        var kind: Int64
        var code: Int64
        var flags: Int64
        var thread: Int64
        var enqueuer: Int64
        var parts: [Int64]
        var handedOverBy: Int64
        /// -2 for none, -1 for an omitted item.
        var parent: Int64
    }

    struct Wait: Equatable {
        var begin: Int64
        var end: Int64
        var signalled: Int64
        var object: Int64
        var waiter: Int64
        var signaller: Int64
        var signallingItem: Int64
    }

    struct Task {
        struct Step {
            /// 0 for a run, otherwise 1 + the kind of wait.
            var kind: Int64
            var begin: Int64
            var end: Int64
            /// The fields after the code.
            var fields: [Int64]
        }

        var number: Int64
        var parent: Int64
        var group: Int64
        var flags: Int64
        var name: Int64
        var created: Int64
        var life: Int64
        var parts: [Int64]
        var omitted: Int64
        var steps: [Step]
    }

    private(set) var version: UInt32 = 0
    private(set) var tasks: [Task] = []
    private(set) var waits: [Wait] = []
    private(set) var document: [String: Any] = [:]
    private(set) var rows: [Row] = []
    private(set) var counts: [String: Int64] = [:]

    /// - Parameters:
    ///   - page: a rendered page.
    ///   - id: the id of the data in the page.
    init?(page: [UInt8], id: String = "trace-data") {
        let text = String(decoding: page, as: UTF8.self)
        guard let start = text.range(of: "id=\"\(id)\" hidden>"),
            let end = text.range(of: "</div>", range: start.upperBound..<text.endIndex)
        else { return nil }
        let comments = text[start.upperBound..<end.lowerBound].replacing("-->", with: "").split(separator: "<!--")
        self.init(bytes: comments.flatMap { Array(Data(base64Encoded: String($0)) ?? Data()) })
    }

    init?(bytes: [UInt8]) {
        guard bytes.starts(with: "QSTL".utf8), bytes.count >= 8 else { return nil }
        var reader = Reader(bytes: bytes[4...])
        version = reader.fixed32()
        var sections: [String: Reader] = [:]
        while !reader.bytes.isEmpty {
            let tag = String(decoding: reader.bytes.prefix(4), as: UTF8.self)
            reader.bytes = reader.bytes.dropFirst(4)
            let length = Int(reader.fixed32())
            sections[tag] = Reader(bytes: reader.bytes.prefix(length))
            reader.bytes = reader.bytes.dropFirst(length)
        }
        guard let meta = sections["META"], let shapes = sections["SHAP"], let items = sections["ITEM"],
            let relations = sections["RELA"]
        else { return nil }
        document = (try? JSONSerialization.jsonObject(with: Data(meta.bytes))) as? [String: Any] ?? [:]
        rows = Self.rows(items, relations: relations, shapes: shapes)
        waits = Self.waits(sections["WAIT"] ?? Reader(bytes: [0]))
        tasks = Self.tasks(sections["TASK"] ?? Reader(bytes: [0]))
        for tag in ["LOCK", "WAIT", "PEND", "SIGN", "MARK"] {
            var section = sections[tag] ?? Reader(bytes: [0])
            counts[tag] = section.varint()
        }
    }

    private static func waits(_ section: Reader) -> [Wait] {
        var reader = section
        var time: Int64 = 0
        return (0..<reader.varint()).map { _ in
            let head = (0..<9).map { _ in reader.varint() }
            time += reader.varint()
            let end = time + reader.varint()
            return Wait(
                begin: time, end: end, signalled: end - reader.signed(), object: head[4] - 1, waiter: head[5] - 2,
                signaller: head[6] - 1, signallingItem: head[7] - 2)
        }
    }

    private static func tasks(_ section: Reader) -> [Task] {
        var reader = section
        var created: Int64 = 0
        var family: [Int64] = [0, 0, 0]
        return (0..<reader.varint()).map { _ in
            for position in family.indices { family[position] += reader.signed() }
            let head = (0..<5).map { _ in reader.varint() }
            created += reader.varint()
            let life = reader.varint()
            var task = Task(
                number: family[0], parent: family[1], group: family[2], flags: head[1], name: head[2], created: created,
                life: life, parts: parts(of: life, count: 7, &reader), omitted: reader.varint(), steps: [])
            var end = created
            for _ in 0..<reader.varint() {
                let kind = reader.varint()
                let begin = end + reader.signed()
                end = begin + reader.varint()
                _ = reader.varint()
                let fields = (0..<(kind == 0 ? 2 : 8)).map { _ in reader.varint() }
                task.steps.append(Task.Step(kind: kind, begin: begin, end: end, fields: fields))
            }
            return task
        }
    }

    private static func rows(_ section: Reader, relations: Reader, shapes: Reader) -> [Row] {
        var reader = section
        var relationReader = relations
        var shapeReader = shapes
        let table = (0..<shapeReader.varint()).map { _ in (0..<5).map { _ in shapeReader.varint() } }
        let count = Int(reader.varint())
        let groups = (0..<reader.varint()).map { _ in (queue: reader.varint(), count: Int(reader.varint())) }
        var rows: [Row] = []
        let numbers = (0..<6).map { _ in reader.numbers(count) }
        for group in groups {
            var time: Int64 = 0
            for _ in 0..<group.count {
                time += numbers[0][rows.count]
                rows.append(
                    Row(
                        queue: group.queue, begin: time, end: 0, enqueued: 0, kind: 0, code: 0, flags: 0, thread: 0,
                        enqueuer: 0, parts: [], handedOverBy: -1,
                        parent: -2))
            }
        }
        guard rows.count == count else { return [] }
        var columns = (0..<3).map { _ in relationReader.column() }
        for row in rows.indices {
            rows[row].end = rows[row].begin + numbers[1][row]
            rows[row].enqueued = rows[row].begin - numbers[2][row]
            let shape = table[Int(numbers[3][row])]
            (rows[row].kind, rows[row].flags, rows[row].code) = (shape[0], shape[2], shape[3])
            rows[row].thread = numbers[4][row]
            rows[row].enqueuer = numbers[5][row] - 1
            rows[row].parts = parts(of: rows[row].begin - rows[row].enqueued, &columns[0])
        }
        var position = 0
        for _ in 0..<columns[1].varint() {
            position += Int(columns[1].varint())
            rows[position].handedOverBy = columns[1].varint()
        }
        var referred: Int64 = 0
        for row in rows.indices {
            let code = columns[2].varint()
            if code >= 2 { referred += Reader.signed(code - 2) }
            rows[row].parent = code < 2 ? code - 2 : referred
        }
        return rows
    }

    private static func parts(of wait: Int64, _ reader: inout Reader) -> [Int64] {
        wait > 0 ? parts(of: wait, count: 8, &reader) : [Int64](repeating: 0, count: 8)
    }

    private static func parts(of whole: Int64, count: Int, _ reader: inout Reader) -> [Int64] {
        var parts = [Int64](repeating: 0, count: count)
        let bits = reader.byte()
        let present = (0..<count).filter { bits & 1 << UInt8($0) != 0 }
        for part in present.dropLast() { parts[part] = reader.varint() }
        if let last = present.last { parts[last] = whole - parts.reduce(0, +) }
        return parts
    }

    struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
        mutating func fixed32() -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(byte()) << ($1 * 8) } }
        mutating func varint() -> Int64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while let next = bytes.popFirst() {
                value |= UInt64(next & 0x7f) << shift
                shift += 7
                if next < 0x80 { break }
            }
            return Int64(value)
        }
        static func signed(_ code: Int64) -> Int64 { code % 2 == 0 ? code / 2 : -(code + 1) / 2 }
        mutating func signed() -> Int64 { Self.signed(varint()) }
        /// A column of numbers after its length.
        mutating func numbers(_ count: Int) -> [Int64] {
            var content = column()
            return content.contentNumbers(count)
        }
        /// A column of numbers up to the end.
        mutating func contentNumbers(_ count: Int) -> [Int64] {
            let width = Int(byte())
            var numbers: [Int64] = []
            if width == 0 {
                while numbers.count < count, !bytes.isEmpty {
                    let value = varint()
                    numbers += Array(repeating: value, count: Int(varint()))
                }
                return numbers
            }
            for _ in 0..<count { numbers.append((0..<width).reduce(0) { $0 | Int64(byte()) << ($1 * 8) }) }
            let escape: Int64 = 1 << (width * 8) - 1
            return numbers.map { $0 == escape ? varint() : $0 }
        }
        mutating func column() -> Reader {
            let length = Int(varint())
            defer { bytes = bytes.dropFirst(length) }
            return Reader(bytes: bytes.prefix(length))
        }
    }
}
