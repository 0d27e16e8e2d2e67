import CTFReader

/// Files that are missing from a trace directory or are truncated, because they were removed or not copied.
///
/// Files are found to be missing as follows:
///
/// - The recorder numbers its streams from 1. Its metadata contain the number of streams that have a file, and the sum
///   of the bytes of these files and the definitions. A file that is truncated after a packet is otherwise valid.
/// - A trace without these numbers, for example of an earlier version, has a file for every number up to the largest.
///   Exceptions are streams whose events were all discarded, which the definitions count, and in a later session of a
///   process the streams of threads without events. In a first session, the first stream is the stream of the context
///   switches.
/// - The recorder writes definitions before a thread's first event, so a trace with events of threads has
///   `definitions`. The context switches come first: a program that is killed at its start may have no other file.
/// - LTTng writes an index next to every data stream file.
///
/// A trace whose last part may still be in memory is incomplete and is not checked. If the memory is lost, the trace is
/// checked: the events of a stream without a file are missing, whether its file or its memory is gone.
public struct MissingFiles: Sendable {
    /// Sentences that name the directory, the missing files and the remedy.
    public private(set) var notes: [String] = []
    /// Number of missing files.
    public private(set) var count = 0
    /// A loss without times for each missing file.
    private(set) var losses: [TraceLoss] = []

    private static let nameLimit = 5
    private static let advice = "Copy the whole directory again from where it was recorded."

    /// Searches for missing files.
    ///
    /// - Parameter trace: a trace of LTTng or of Queuescope's recorder. For other traces nothing is found.
    /// - Complexity: O(files).
    public init(of trace: CTFTrace) {
        if trace.environment["tracer_name"]?.stringValue?.hasPrefix("lttng") == true {
            findByIndex(trace)
        } else if trace.environment["backend"]?.stringValue == "ring",
            !ArenaRecovery.isPending(in: trace.path) || ArenaRecovery.isMemoryLost(of: trace.path)
        {
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
                "\(trace.path)/\(name) is missing. According to index/\(name).idx, it contained \(events). "
                    + Self.advice)
        }
    }

    private mutating func findDefinitions(_ trace: CTFTrace, _ streams: RingStreams) {
        guard streams.definitions == nil, streams.hasThreads else { return }
        add("definitions", in: trace)
        notes.append(
            "\(trace.path)/definitions is \(streams.empty.contains("definitions") ? "empty" : "missing"): "
                + "it defines the queues and the code, so names are missing, and findings may be wrong. "
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

    /// The metadata contain the number of bytes, but do not identify the truncated files.
    private mutating func findEnds(_ trace: CTFTrace, _ streams: RingStreams) {
        let missing = streams.writtenBytes - streams.bytes
        guard missing > 0 else { return }
        addLoss(in: trace.path)
        notes.append(
            "The stream files of \(trace.path) lack \(GroupedNumber.text(missing)) of the "
                + "\(GroupedNumber.text(streams.writtenBytes)) bytes that were recorded: events are missing at the end "
                + "of at least one file, and findings may be wrong. \(Self.advice)")
    }
}

/// The streams of a trace of Queuescope's recorder, from their files.
private struct RingStreams {
    /// Numbers from this value on belong to a second recorder in the process: to its definitions and the streams of its
    /// threads.
    private static let libraryStreams = 10_000
    /// The schema's minor version from which on all context switches are in stream 1. Before it, each processor had a
    /// stream, with a file only if there were context switches, and the streams of threads followed.
    private static let firstWithOneKernelStream = 3

    /// Number of streams with a file according to the metadata; 0 when unknown.
    let written: Int
    /// Bytes of these files and of the definitions according to the metadata; 0 when unknown.
    let writtenBytes: Int
    /// Bytes that are present.
    private(set) var bytes = 0
    /// The name of the file with the definitions, stream 0; nil if it is missing.
    let definitions: String?
    /// The numbers of the streams with a file.
    private(set) var present: Set<Int> = []
    /// The names of empty files.
    private(set) var empty: Set<String> = []
    private var kernelNumbers: Set<Int> = []
    private let hasOneKernelStream: Bool

    init(_ trace: CTFTrace) {
        func number(_ name: String) -> Int { Int(clamping: trace.environment[name]?.integerValue ?? 0) }
        let streams = number("streams")
        // Ignore values that exceed the range of the numbers.
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
            // Prefer the number in the name, because the first packet can be damaged.
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

    /// Whether the trace has, or had, files of threads in addition to the stream of the context switches.
    var hasThreads: Bool { !present.isSubset(of: kernelNumbers) || written > 1 }

    /// The numbers of missing files, up to the largest number that is present.
    var gaps: [Int] {
        let first = hasOneKernelStream ? 1 : present.subtracting(kernelNumbers).min() ?? 1
        return (first..<max(present.max() ?? 1, first)).filter { !present.contains($0) }
    }

    /// The number of missing files.
    ///
    /// - Parameter discarded: returns the number of events discarded in streams without a file.
    /// - Returns: the number; 0 if it is uncertain.
    func missing(discarded: () -> UInt64) -> Int {
        if written > 0 { return max(0, written - present.count) }
        let gaps = gaps
        // Each discarded stream had at least one event, the start of its thread.
        guard kernelNumbers.contains(1), !gaps.isEmpty, discarded() < gaps.count else { return 0 }
        return gaps.count
    }

    /// The name of a stream's file.
    func fileName(_ number: Int) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        if let name = ["thread-\(padded)", "kernel-\(padded)"].first(where: empty.contains) {
            return "\(name), which is empty"
        }
        return (number == 1 && kernelNumbers.isEmpty ? "kernel-" : "thread-") + padded
    }
}
