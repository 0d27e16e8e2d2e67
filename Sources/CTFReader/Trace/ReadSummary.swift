/// The result of a pass over all event records of a trace.
public struct ReadSummary: Hashable, Sendable {
    /// Event records delivered.
    public var events = 0
    /// Data stream files that are not empty.
    public var files = 0
    /// Packets read.
    public var packets = 0
    /// Event records that the tracer discarded, of all streams.
    public var discarded: UInt64 = 0
    /// Packets that are missing according to the sequence numbers.
    public var lostPackets = 0
    /// Time of the first event record, in nanoseconds from the origin of the clock; nil without records.
    public var firstNanoseconds: Int64?
    /// Time of the last event record, in nanoseconds from the origin of the clock; nil without records.
    public var lastNanoseconds: Int64?
    /// Losses of event records and packets in order of time. Each stream has a limited number.
    public var losses: [TraceLoss] = []
    /// The damage by file and position.
    public var notes: [TraceNote] = []

    /// Number of files of which a part could not be read.
    public var damagedFiles: Int {
        let harmless: Set<CTFError.Code> = [
            .clockWentBack, .lostPackets, .repeatedStream, .unknownAttribute, .wrongUUID,
        ]
        return Set(notes.filter { !harmless.contains($0.code) }.map(\.file)).count
    }

    /// Creates the summary of an empty trace.
    public init() {}
}

extension ReadSummary {
    /// Adds the results of the streams of a trace.
    mutating func add(_ streams: [DataStream]) {
        // The files of a stream continue a common count of discarded records.
        var discardedByStream: [String: UInt64] = [:]
        var firstSequenceNumbers: [String: UInt64] = [:]
        for stream in streams {
            if stream.file.count > 0 { files += 1 }
            packets += stream.packets
            lostPackets = lostPackets.clamped(plus: stream.losses.packets)
            let name = Self.name(of: stream)
            discardedByStream[name] = max(discardedByStream[name] ?? 0, stream.losses.discarded)
            firstSequenceNumbers[name] = min(firstSequenceNumbers[name] ?? .max, stream.losses.firstSequenceNumber)
        }
        for count in discardedByStream.values { discarded = discarded.clamped(plus: count) }
        for stream in streams {
            notes += stream.notes
            // The previous file or piece reports the losses before its end.
            let isFirst =
                !stream.isPiece && stream.losses.firstSequenceNumber == firstSequenceNumbers[Self.name(of: stream)]
            losses += isFirst ? stream.losses.all[...] : stream.losses.own
            if let gap = stream.gapBefore {
                lostPackets = lostPackets.clamped(plus: Int(clamping: gap.count))
                losses.append(gap)
            }
        }
        notes.sort { ($0.file, $0.byteOffset) < ($1.file, $1.byteOffset) }
        losses.sort { ($0.beginNanoseconds ?? .min, $0.file) < ($1.beginNanoseconds ?? .min, $1.file) }
    }

    private static func name(of stream: DataStream) -> String {
        stream.instanceID.map { "\(stream.plan?.id ?? 0) \($0)" } ?? stream.file.path
    }
}

/// A note about damage in a trace. The rest of the trace is read.
public struct TraceNote: Hashable, Sendable, CustomStringConvertible {
    /// The kind of damage, for code that handles notes.
    public var code: CTFError.Code
    /// The path of the file.
    public var file: String
    /// Offset in bytes from the start of the file; of a note with a line, from the start of the metadata text.
    public var byteOffset: Int
    /// Line of the metadata text, from 1; nil for data stream files.
    public var line: Int?
    /// Column in the line, in bytes, from 1; nil for data stream files.
    public var column: Int?
    /// The problem and its consequence, as a sentence without a full stop.
    public var problem: String

    /// Creates a note.
    public init(
        code: CTFError.Code, file: String, byteOffset: Int, line: Int? = nil, column: Int? = nil, problem: String
    ) {
        self.code = code
        self.file = file
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
        self.problem = problem
    }

    public var description: String {
        let place = CTFError.Place(file: file, line: line, column: column, byteOffset: byteOffset)
        return "\(place): \(problem)"
    }
}
