import Foundation
import TraceSchema

/// A trace in the recorder's format as event records in memory, which can be changed and written again.
///
/// It uses the packet layout of Sources/CTraceRecorder/Events/packet.h and the payloads of this build's event
/// catalogue, so it only reads traces of the same version.
struct RecordedTrace {
    /// An error in the trace.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// An event record.
    struct Record {
        /// The clock's value.
        var time: UInt64
        let id: UInt8
        /// The thread that owned the stream when the record was written.
        let owner: UInt32
        var payload: ArraySlice<UInt8>
    }

    /// The records of one packet.
    struct Packet {
        var sequence: UInt64
        /// The clock's value at the packet's begin, at most the time of its first record.
        var begin: UInt64
        /// Number of events of the stream that were discarded before the packet's end.
        var discarded: UInt64
        var records: [Record]

        /// The packet's size in the file.
        var bytes: Int { records.reduce(PacketLayout.head) { $0 + PacketLayout.compactHeader + $1.payload.count } }
    }

    /// A data stream file.
    struct Stream {
        let name: String
        let instance: UInt64
        var packets: [Packet]

        /// Whether it contains definitions, which other streams refer to and a recorder does not overwrite.
        var isDefinitions: Bool { name.hasPrefix("definitions") }
        /// All records in order.
        var records: [Record] { packets.flatMap(\.records) }

        /// The same records in smaller packets, in the recorder's style: numbered from 0, with one owner each.
        ///
        /// - Parameter bytes: the maximum size of a packet with more than one record.
        func repacked(_ bytes: Int) -> Stream {
            var result = self
            result.packets = []
            var size = 0
            for record in records {
                let last = result.packets.last
                let isFull = size + PacketLayout.compactHeader + record.payload.count > bytes
                if last == nil || isFull || last?.records.last?.owner != record.owner {
                    result.packets.append(
                        Packet(
                            sequence: UInt64(result.packets.count), begin: record.time,
                            discarded: packets.last?.discarded ?? 0, records: []))
                    size = PacketLayout.head
                }
                result.packets[result.packets.count - 1].records.append(record)
                size += PacketLayout.compactHeader + record.payload.count
            }
            return result
        }
    }

    var streams: [Stream]
    /// Ticks of the clock per second.
    let frequency: UInt64
    private let metadata: Data
    private let uuid: [UInt8]

    /// Reads a trace.
    ///
    /// - Parameter directory: the directory of the trace.
    /// - Throws: ``Failure`` if the trace does not have the recorder's format, and errors of reading files.
    init(_ directory: URL) throws {
        var text = try String(contentsOf: directory.appendingPathComponent("metadata"), encoding: .utf8)
        // The size of the derived trace is different. 0 means unknown.
        text.replace(/stream_bytes = +[0-9]+;/, with: "stream_bytes = 0;")
        metadata = Data(text.utf8)
        guard let declared = text.firstMatch(of: /freq = ([0-9]+);/), let frequency = UInt64(declared.1) else {
            throw Failure(description: "\(directory.path): the metadata declare no frequency")
        }
        self.frequency = frequency
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        var uuid: [UInt8] = []
        streams = try names.filter { $0 != "metadata" && !$0.hasPrefix(".") }.map { name in
            let bytes = [UInt8](try Data(contentsOf: directory.appendingPathComponent(name)))
            var reader = PacketReader(bytes: bytes, file: name)
            let stream = try reader.stream()
            if let found = reader.uuid { uuid = found }
            return stream
        }
        self.uuid = uuid
    }

    /// Writes the trace.
    ///
    /// - Parameter directory: the new directory, which must not exist.
    func write(to directory: URL) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try metadata.write(to: directory.appendingPathComponent("metadata"))
        for stream in streams {
            var writer = PacketWriter(uuid: uuid, instance: stream.instance)
            for packet in stream.packets { writer.add(packet) }
            try Data(writer.bytes).write(to: directory.appendingPathComponent(stream.name))
        }
    }
}

/// Offsets in a packet, see Sources/CTraceRecorder/Events/packet.h.
private enum PacketLayout {
    static let magic: UInt32 = 0xC1FC_1FC1
    static let head = 88
    static let uuid = 4..<20
    static let instance = 24
    static let begin = 32
    static let contentSize = 48
    static let packetSize = 56
    static let sequence = 64
    static let discarded = 72
    static let tid = 80

    static let extendedID: UInt8 = 255
    static let compactHeader = 5

    /// Event classes by id.
    static let classes = Dictionary(uniqueKeysWithValues: EventCatalogue.events.map { ($0.id, $0) })
}

private struct PacketReader {
    let bytes: [UInt8]
    let file: String
    private(set) var uuid: [UInt8]?

    init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    mutating func stream() throws -> RecordedTrace.Stream {
        var packets: [RecordedTrace.Packet] = []
        var start = 0
        var instance: UInt64 = 0
        while start < bytes.count {
            guard start + PacketLayout.head <= bytes.count, number(start, UInt32.self) == PacketLayout.magic else {
                throw failure(start)
            }
            instance = number(start + PacketLayout.instance, UInt64.self)
            if uuid == nil { uuid = Array(bytes[(start + 4)..<(start + 20)]) }
            let begin = number(start + PacketLayout.begin, UInt64.self)
            let content = Int(number(start + PacketLayout.contentSize, UInt64.self) / 8)
            let size = Int(number(start + PacketLayout.packetSize, UInt64.self) / 8)
            guard content >= PacketLayout.head, content <= size, start + size <= bytes.count else {
                throw failure(start)
            }
            packets.append(
                RecordedTrace.Packet(
                    sequence: number(start + PacketLayout.sequence, UInt64.self), begin: begin,
                    discarded: number(start + PacketLayout.discarded, UInt64.self),
                    records: try records(
                        in: (start + PacketLayout.head)..<(start + content), since: begin,
                        owner: number(start + PacketLayout.tid, UInt32.self))))
            start += size
        }
        return RecordedTrace.Stream(name: file, instance: instance, packets: packets)
    }

    private func records(in content: Range<Int>, since begin: UInt64, owner: UInt32) throws -> [RecordedTrace.Record] {
        var records: [RecordedTrace.Record] = []
        var clock = begin
        var place = content.lowerBound
        while place < content.upperBound {
            guard place + PacketLayout.compactHeader <= content.upperBound else { throw failure(place) }
            var id = bytes[place]
            if id == PacketLayout.extendedID {
                guard place + 13 <= content.upperBound else { throw failure(place) }
                id = UInt8(truncatingIfNeeded: number(place + 1, UInt32.self))
                clock = number(place + 5, UInt64.self)
                place += 13
            } else {
                // The record has the low half of the clock. If it is smaller than before, the high half was
                // incremented.
                clock &+= UInt64(number(place + 1, UInt32.self) &- UInt32(truncatingIfNeeded: clock))
                place += PacketLayout.compactHeader
            }
            guard let event = PacketLayout.classes[id],
                let end = end(of: event, from: place, before: content.upperBound)
            else { throw failure(place) }
            records.append(RecordedTrace.Record(time: clock, id: id, owner: owner, payload: bytes[place..<end]))
            place = end
        }
        return records
    }

    /// The offset after the payload's last byte; nil if the payload does not end within the packet.
    private func end(of event: EventClass, from start: Int, before limit: Int) -> Int? {
        var place = start
        for field in event.fields {
            switch field.type {
            case .string:
                guard let end = bytes[min(place, limit)..<limit].firstIndex(of: 0) else { return nil }
                place = end + 1
            case .addresses:
                guard place + 2 <= limit else { return nil }
                place += 2 + 6 * Int(number(place, UInt16.self))
            default: place += field.type.fixedSize ?? 0
            }
        }
        return place <= limit ? place : nil
    }

    private func number<Number: FixedWidthInteger>(_ place: Int, _ type: Number.Type) -> Number {
        bytes[place..<(place + MemoryLayout<Number>.size)].littleEndianNumber()
    }

    private func failure(_ place: Int) -> RecordedTrace.Failure {
        RecordedTrace.Failure(description: "\(file), byte \(place): not what the recorder writes")
    }
}

private struct PacketWriter {
    let uuid: [UInt8]
    let instance: UInt64
    private(set) var bytes: [UInt8] = []

    init(uuid: [UInt8], instance: UInt64) {
        self.uuid = uuid
        self.instance = instance
    }

    mutating func add(_ packet: RecordedTrace.Packet) {
        let start = bytes.count
        append(PacketLayout.magic)
        bytes += uuid
        append(UInt32(0))
        append(instance)
        append(packet.begin)
        append(packet.records.last?.time ?? packet.begin)
        append(UInt64(0))
        append(UInt64(0))
        append(packet.sequence)
        append(packet.discarded)
        append(packet.records.first?.owner ?? 0)
        append(UInt32(packet.records.count))
        var clock = packet.begin
        for record in packet.records {
            if record.time >= clock, record.time - clock < 1 << 32 {
                append(record.id)
                append(UInt32(truncatingIfNeeded: record.time))
            } else {
                append(PacketLayout.extendedID)
                append(UInt32(record.id))
                append(record.time)
            }
            clock = record.time
            bytes += record.payload
        }
        let bits = UInt64(bytes.count - start) * 8
        for place in [PacketLayout.contentSize, PacketLayout.packetSize] {
            withUnsafeBytes(of: bits.littleEndian) { value in
                bytes.replaceSubrange((start + place)..<(start + place + 8), with: value)
            }
        }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes as a little-endian number.
    func littleEndianNumber<Number: FixedWidthInteger>() -> Number {
        reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}

extension RecordedTrace.Record {
    /// The bytes of a payload field at a fixed offset; nil if the event has no such field.
    private func bytes(of field: String) -> Range<Int>? {
        var place = payload.startIndex
        for candidate in PacketLayout.classes[id]?.fields ?? [] {
            guard let size = candidate.type.fixedSize else { return nil }
            if candidate.name == field { return place..<(place + size) }
            place += size
        }
        return nil
    }

    /// The name of the record's event.
    var event: String { PacketLayout.classes[id]?.name ?? "" }

    /// The value of a payload field at a fixed offset; nil if the event has no such field.
    func number(in field: String) -> UInt64? { bytes(of: field).map { payload[$0].littleEndianNumber() } }

    /// Adds an amount to a 64-bit payload field at a fixed offset.
    mutating func add(_ amount: UInt64, to field: String) {
        guard let range = bytes(of: field) else { return }
        let sum = payload[range].littleEndianNumber() &+ amount
        payload.replaceSubrange(range, with: withUnsafeBytes(of: sum.littleEndian) { Array($0) })
    }
}
