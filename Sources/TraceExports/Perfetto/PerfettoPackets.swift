import DispatchModel

// The part of Perfetto's trace format that the exporter writes. The number and the meaning of each field are defined in
// https://perfetto.dev/docs/reference/trace-packet-proto.

/// One packet of a file.
enum PerfettoPacket {
    /// An event on a track.
    case event(PerfettoEvent, at: Timestamp)
    /// The description of a track.
    case track(PerfettoTrackDescription)
    /// The times of several clocks at one moment, in nanoseconds, with the number of each clock.
    case clocks([(clock: UInt64, nanoseconds: UInt64)])
    /// The numbers of names of slices and of categories. Earlier numbers no longer count.
    case names(events: [PerfettoName], categories: [PerfettoName])
    /// Context switches of one processor.
    case switches(processor: UInt64, [PerfettoSwitch])

    /// The id of the only packet sequence. Names are valid only for packets of the same sequence.
    private static let sequence: UInt64 = 1

    /// Appends the packet to a message of the type `Trace`.
    func append(to trace: inout ProtobufMessage) {
        trace.append(1) { packet in
            switch self {
            case .event(let event, let time):
                packet.append(8, UInt64(clamping: time.nanoseconds))
                packet.append(10, Self.sequence)
                packet.append(11) { event.append(to: &$0) }
                packet.append(13, 2)  // the packet needs the names of its sequence
            case .track(let track):
                packet.append(10, Self.sequence)
                packet.append(60) { track.append(to: &$0) }
            case .clocks(let clocks):
                packet.append(6) { snapshot in
                    for time in clocks {
                        snapshot.append(1) {
                            $0.append(1, time.clock)
                            $0.append(2, time.nanoseconds)
                        }
                    }
                }
                packet.append(10, Self.sequence)
            case .names(let events, let categories):
                packet.append(10, Self.sequence)
                packet.append(12) { names in
                    for name in categories { names.append(1) { name.append(to: &$0) } }
                    for name in events { names.append(2) { name.append(to: &$0) } }
                }
                packet.append(13, 1)  // the packet begins the sequence
            case .switches(let processor, let switches):
                packet.append(1) { bundle in
                    bundle.append(1, processor)
                    for change in switches { bundle.append(2) { change.append(to: &$0) } }
                }
            }
        }
    }
}

/// A number that packets contain instead of a text.
struct PerfettoName {
    let number: UInt64
    let text: String

    fileprivate func append(to message: inout ProtobufMessage) {
        message.append(1, number)
        message.append(2, text)
    }
}

/// An event on a track.
struct PerfettoEvent {
    enum Kind: UInt64 {
        case sliceBegin = 1, sliceEnd, instant, counter
    }

    let kind: Kind
    let track: PerfettoTrack
    /// The number of its name; nil for the end of a slice and for a counter.
    var name: UInt64?
    var category: PerfettoCategory?
    /// The depth of a queue.
    var value: Int64?
    /// The flows that begin here or pass through.
    var flows: [UInt64] = []
    var terminatingFlows: [UInt64] = []
    var annotations: [PerfettoAnnotation] = []

    fileprivate func append(to message: inout ProtobufMessage) {
        if let category { message.append(3, category.rawValue) }
        for annotation in annotations { message.append(4) { annotation.append(to: &$0) } }
        message.append(9, kind.rawValue)
        if let name { message.append(10, name) }
        message.append(11, track.number)
        if let value { message.append(30, signed: value) }
        for flow in flows { message.append(47, fixed: flow) }
        for flow in terminatingFlows { message.append(48, fixed: flow) }
    }
}

/// An argument of an event.
struct PerfettoAnnotation {
    private enum Value {
        case number(Int64)
        case text(String)
    }

    private let name: String
    private let value: Value

    static func named(_ name: String, _ text: String) -> Self { Self(name: name, value: .text(text)) }

    static func named(_ name: String, number: Int64) -> Self { Self(name: name, value: .number(number)) }

    fileprivate func append(to message: inout ProtobufMessage) {
        switch value {
        case .number(let number): message.append(4, signed: number)
        case .text(let text): message.append(6, text)
        }
        message.append(10, name)
    }
}

/// The description of a track.
struct PerfettoTrackDescription {
    /// What Perfetto knows about a track besides its name.
    enum Content {
        case process(pid: Int32, name: String)
        case thread(pid: Int32, tid: Int32, name: String)
        case counter(unit: String)
    }

    let track: PerfettoTrack
    var parent: PerfettoTrack?
    var name: String?
    var content: Content?
    /// True when Perfetto must draw the children in the order of their ranks.
    var ordersChildren = false
    var rank: Int?
    var text: String?

    fileprivate func append(to message: inout ProtobufMessage) {
        message.append(1, track.number)
        if let name { message.append(2, name) }
        switch content {
        case .process(let pid, let name):
            message.append(3) {
                $0.append(1, signed: Int64(pid))
                $0.append(6, name)
            }
        case .thread(let pid, let tid, let name):
            message.append(4) {
                $0.append(1, signed: Int64(pid))
                $0.append(2, signed: Int64(tid))
                $0.append(5, name)
            }
        case .counter, nil: break
        }
        if let parent { message.append(5, parent.number) }
        if case .counter(let unit) = content { message.append(8) { $0.append(6, unit) } }
        if ordersChildren { message.append(11, 3) }
        if let rank { message.append(12, signed: Int64(Int32(clamping: rank))) }
        if let text { message.append(14, text) }
    }
}

/// A context switch.
struct PerfettoSwitch {
    /// A thread that a processor runs.
    struct Thread {
        let tid: Int32
        let name: String

        /// Perfetto's idle process.
        static let idle = Thread(tid: 0, name: "swapper")
    }

    let time: Timestamp
    let previous: Thread
    let next: Thread
    /// True when the previous thread sleeps, false when it could run on.
    var previousSleeps = false

    fileprivate func append(to message: inout ProtobufMessage) {
        message.append(1, UInt64(clamping: time.nanoseconds))
        message.append(2, UInt64(UInt32(bitPattern: previous.tid)))
        message.append(4) {
            $0.append(1, previous.name)
            $0.append(2, signed: Int64(previous.tid))
            $0.append(4, signed: previousSleeps ? 1 : 0)
            $0.append(5, next.name)
            $0.append(6, signed: Int64(next.tid))
        }
    }
}
