import CTFReader

/// Files with events that a trace directory lacks, or whose ends it lacks: they were removed, or not copied along.
///
/// What tells of them:
///
/// - The recorder numbers its streams from 1, and says in the metadata how many have a file, and how many bytes these
///   have with the definitions. A file that is cut off behind a packet looks whole.
/// - A trace that does not say, such as an earlier version's, has a file for every number up to the largest, but for
///   streams whose events were all discarded, of which the definitions tell; and in a later session of a process, but
///   for threads that did nothing in it. In a first session the first stream is that of the context switches.
/// - The recorder defines what there is before a thread's first event, so a trace with events of threads has
///   `definitions`. The context switches come first: of a program killed as it starts there may be nothing else.
/// - LTTng writes an index beside every data stream file.
///
/// A trace of which a part may still be in memory has not all its files yet, and is not judged.
public struct MissingFiles: Sendable {
    /// What is missing and what to do: one sentence or two each, which name the directory and the files.
    public private(set) var notes: [String] = []
    /// How many files are missing.
    public private(set) var count = 0
    /// Each of them, with events of any time.
    private(set) var losses: [TraceLoss] = []

    private static let nameLimit = 5
    private static let advice = "Copy the whole directory again from where it was recorded."

    /// Looks for what a trace lacks.
    ///
    /// - Parameter trace: a trace of LTTng or of our recorder; of any other, nothing is found.
    /// - Complexity: O(files).
    public init(of trace: CTFTrace) {
        if trace.environment["tracer_name"]?.stringValue?.hasPrefix("lttng") == true {
            findByIndex(trace)
        } else if trace.environment["backend"]?.stringValue == "ring", !ArenaRecovery.isPending(in: trace.path) {
            let streams = RingStreams(trace)
            findDefinitions(trace, streams)
            findStreams(trace, streams)
            if count == 0 { findEnds(trace, streams) }
        }
    }

    private mutating func add(_ file: String, in trace: CTFTrace) {
        count += 1
        addLoss(in: "\(trace.path)/\(file)")
    }

    private mutating func addLoss(in path: String) {
        losses.append(
            TraceLoss(kind: .files, count: 1, file: path, beginNanoseconds: nil, endNanoseconds: nil))
    }

    private mutating func findByIndex(_ trace: CTFTrace) {
        for (name, packets) in LTTngIndex.missingFiles(in: trace.path) {
            add(name, in: trace)
            let count = packets == 1 ? "a packet" : "\(GroupedNumber.text(packets)) packets"
            let events = "the events of \(count)"
            notes.append(
                "\(trace.path)/\(name) is missing, and \(events) with it: index/\(name).idx tells of them. "
                    + Self.advice)
        }
    }

    private mutating func findDefinitions(_ trace: CTFTrace, _ streams: RingStreams) {
        guard streams.definitions == nil, streams.hasThreads else { return }
        add("definitions", in: trace)
        notes.append(
            "\(trace.path)/definitions is \(streams.empty.contains("definitions") ? "empty" : "missing"): "
                + "it says which queues and what code there is, so names are missing, and findings may be wrong. "
                + Self.advice)
    }

    private mutating func findStreams(_ trace: CTFTrace, _ streams: RingStreams) {
        let missing = streams.missing { streams.definitions.map { trace.discarded(reportedBy: $0) } ?? 0 }
        guard missing > 0 else { return }
        let gaps = streams.gaps
        func name(_ number: Int) -> String { streams.fileName(number) }
        for place in 0..<missing {
            add(place < gaps.count ? name(gaps[place]) : "thread", in: trace)
        }
        var names = gaps.prefix(Self.nameLimit).map(name)
        if gaps.count > Self.nameLimit { names.append("\(gaps.count - Self.nameLimit) more") }
        if gaps.count < missing, let last = streams.present.max() {
            names.append("\(missing - gaps.count) after number \(last)")
        }
        let which = names.isEmpty ? "" : " (\(gaps.count > missing ? "of " : "")\(names.joined(separator: ", ")))"
        let whole = streams.present.count + missing
        notes.append(
            "\(trace.path) lacks \(missing) of \(whole) stream files\(which): events are missing, and findings may be "
                + "wrong. \(Self.advice)")
    }

    /// Which files are cut off is not known.
    private mutating func findEnds(_ trace: CTFTrace, _ streams: RingStreams) {
        let missing = streams.writtenBytes - streams.bytes
        guard missing > 0 else { return }
        addLoss(in: trace.path)
        notes.append(
            "The stream files of \(trace.path) lack \(GroupedNumber.text(missing)) of the "
                + "\(GroupedNumber.text(streams.writtenBytes)) bytes that were recorded: events are missing at the end "
                + "of one or more, and findings may be wrong. \(Self.advice)")
    }
}

/// The streams of a trace of our recorder, by their files.
private struct RingStreams {
    /// Numbers from here on are of a second recorder in the process: of its definitions, and of its threads' streams.
    private static let libraryStreams = 10_000
    /// Before schema 1.3 each processor had a stream for its context switches, and without any no file. Threads came
    /// behind them.
    private static let firstWithOneKernelStream = 3

    /// How many streams have a file, as the metadata say; 0 when they do not.
    let written: Int
    /// How many bytes these files have with the definitions, as the metadata say; 0 when they do not.
    let writtenBytes: Int
    /// How many they have.
    private(set) var bytes = 0
    /// The name of the file with the definitions, stream 0; nil when it is not there.
    let definitions: String?
    /// The numbers of the streams whose files are there.
    private(set) var present: Set<Int> = []
    /// The names of files without a byte.
    private(set) var empty: Set<String> = []
    private var kernelNumbers: Set<Int> = []
    private let hasOneKernelStream: Bool

    init(_ trace: CTFTrace) {
        func number(_ name: String) -> Int { Int(clamping: trace.environment[name]?.integerValue ?? 0) }
        let streams = number("streams")
        // More than there are numbers is no count of ours.
        written = (0..<Self.libraryStreams).contains(streams) ? streams : 0
        writtenBytes = number("stream_bytes")
        hasOneKernelStream = number("schema_minor") >= Self.firstWithOneKernelStream
        let files = trace.streamFiles
        definitions = files.first { !$0.isEmpty && ($0.name == "definitions" || $0.instanceID == 0) }?.name
        for file in files {
            guard !file.isEmpty else {
                empty.insert(file.name)
                continue
            }
            if file.name == definitions { bytes += file.size }
            // By its name first, as its first packet may be damaged.
            guard let number = Self.number(in: file.name) ?? file.instanceID.flatMap({ Int(exactly: $0) }),
                number > 0, number < Self.libraryStreams
            else { continue }
            present.insert(number)
            bytes += file.size
            if file.name.hasPrefix("kernel-") { kernelNumbers.insert(number) }
        }
    }

    private static func number(in name: String) -> Int? {
        ["thread-", "kernel-"].lazy.compactMap { name.hasPrefix($0) ? Int(name.dropFirst($0.count)) : nil }.first
    }

    /// Whether there are files of threads, besides that of the context switches, or were.
    var hasThreads: Bool { !present.isSubset(of: kernelNumbers) || written > 1 }

    /// Numbers without a file that had one, up to the largest that has one.
    var gaps: [Int] {
        let first = hasOneKernelStream ? 1 : present.subtracting(kernelNumbers).min() ?? 1
        return (first..<max(present.max() ?? 1, first)).filter { !present.contains($0) }
    }

    /// How many files are missing.
    ///
    /// - Parameter discarded: tells how many events were discarded in streams that have no file.
    /// - Returns: their number; 0 where it is not certain.
    func missing(discarded: () -> UInt64) -> Int {
        if written > 0 { return max(0, written - present.count) }
        let gaps = gaps
        // Each stream that was discarded had at least one event: that its thread started.
        guard kernelNumbers.contains(1), !gaps.isEmpty, discarded() < gaps.count else { return 0 }
        return gaps.count
    }

    /// What the recorder calls a stream's file.
    func fileName(_ number: Int) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        if let name = ["thread-\(padded)", "kernel-\(padded)"].first(where: empty.contains) {
            return "\(name), which is empty"
        }
        return (number == 1 && kernelNumbers.isEmpty ? "kernel-" : "thread-") + padded
    }
}
