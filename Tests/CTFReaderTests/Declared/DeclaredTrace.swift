/// A trace that is declared by its types and values. Metadata and data streams are generated from it.
struct DeclaredTrace {
    var order = FieldShape.ByteOrder.le
    var packetHeader: [(name: String, shape: FieldShape)]? = [("magic", .u(32)), ("stream_id", .u(32))]
    var environment = "hostname = \"h\"; procname = \"p\"; vpid = 3;"
    /// The bodies of the clock blocks.
    var clocks = ["name = c; freq = 1000000000; offset_s = 1600000000; offset = 12345;"]
    /// Text before the stream blocks, such as named types.
    var declarations = ""
    var streams = [Stream()]
    /// The data stream files. The packets of a file have the same stream class.
    var files: [(name: String, packets: [Packet])] = []

    struct Stream {
        var id: UInt64 = 0
        var packetContext: [(name: String, shape: FieldShape)]? = [("content_size", .u(64)), ("packet_size", .u(64))]
        var eventHeader: [(name: String, shape: FieldShape)]? = [("id", .u(16)), ("timestamp", .time(64))]
        var eventContext: [(name: String, shape: FieldShape)]?
        var events: [Event] = []
    }

    struct Event {
        var name: String
        var id: UInt64 = 0
        var context: [(name: String, shape: FieldShape)]?
        var fields: [(name: String, shape: FieldShape)]?
    }

    struct Packet {
        var stream = 0
        /// Values of the packet header and context. Sizes and the magic number are computed.
        var values: [String: FieldValue] = [:]
        var records: [Record] = []
        /// Padding after the content in bytes.
        var padding = 0
    }

    struct Record {
        /// Index of the event class in the stream's events.
        var event = 0
        var header: [FieldValue] = []
        var streamContext: [FieldValue] = []
        var context: [FieldValue] = []
        var fields: [FieldValue] = []
    }

    /// The data stream files.
    var streamFiles: [(name: String, bytes: [UInt8])] {
        files.map { ($0.name, $0.packets.flatMap { bytes(of: $0) }) }
    }

    // MARK: Metadata

    var metadata: String {
        var text = "/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = \(order);"
        text += assignment("packet.header", packetHeader) + " };\n"
        text += "env { \(environment) };\n" + clocks.map { "clock { \($0) };\n" }.joined() + declarations
        for stream in streams {
            text += "stream {\(id("id", of: stream))" + assignment("packet.context", stream.packetContext)
            text += assignment("event.header", stream.eventHeader)
            text += assignment("event.context", stream.eventContext) + " };\n"
            for event in stream.events {
                text += "event { name = \"\(event.name)\"; id = \(event.id);\(id("stream_id", of: stream))"
                text += assignment("context", event.context) + assignment("fields", event.fields) + " };\n"
            }
        }
        return text
    }

    /// A trace without packet headers has a single stream class, which needs no id.
    private func id(_ name: String, of stream: Stream) -> String {
        packetHeader == nil ? "" : " \(name) = \(stream.id);"
    }

    private func assignment(_ name: String, _ fields: [(name: String, shape: FieldShape)]?) -> String {
        fields.map { " \(name) := \(FieldShape.structure($0).text);" } ?? ""
    }

    // MARK: Bytes

    private func bytes(of packet: Packet) -> [UInt8] {
        // The sizes precede the content, so the packet is written twice.
        let size = write(packet, contentSize: 0).position
        return write(packet, contentSize: size).bytes + [UInt8](repeating: 0, count: packet.padding)
    }

    private func write(_ packet: Packet, contentSize: Int) -> BitWriter {
        let stream = streams[packet.stream]
        var writer = BitWriter()
        for fields in [packetHeader, stream.packetContext] {
            guard let fields else { continue }
            let values = fields.map { field -> FieldValue in
                if let value = packet.values[field.name] { return value }
                switch field.name {
                case "magic": return .number(0xC1FC_1FC1)
                case "stream_id": return .number(stream.id)
                case "content_size": return .number(UInt64(contentSize))
                case "packet_size": return .number(UInt64((contentSize + 7) / 8 + packet.padding) * 8)
                default: return 0
                }
            }
            writer.append(.list(values), as: .structure(fields), native: order)
        }
        for record in packet.records {
            let event = stream.events[record.event]
            let parts = [
                (stream.eventHeader, record.header), (stream.eventContext, record.streamContext),
                (event.context, record.context), (event.fields, record.fields),
            ]
            for case (let fields?, let values) in parts {
                writer.append(.list(values), as: .structure(fields), native: order)
            }
        }
        return writer
    }
}
