import CTraceRecorder
import Dispatch

extension TracedSource {
    /// Creates a source whose event handler runs when a file descriptor has bytes to read.
    ///
    /// - Parameters:
    ///   - fileDescriptor: the descriptor; it must stay open until the cancel handler runs.
    ///   - queue: where the handlers run; nil for a global queue.
    ///   - file: where the source is created.
    ///   - line: where the source is created.
    /// - Returns: the source, inactive.
    public static func makeReadSource(
        fileDescriptor: Int32, queue: TracedQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> TracedSource {
        TracedSource(
            qs_source_type_read,
            DispatchSource.makeReadSource(fileDescriptor: fileDescriptor, queue: queue?.underlying), queue: queue,
            creation: CallSite(file: file, line: line))
    }

    /// Creates a source whose event handler runs when a file descriptor has room to write.
    ///
    /// - Parameters:
    ///   - fileDescriptor: the descriptor; it must stay open until the cancel handler runs.
    ///   - queue: where the handlers run; nil for a global queue.
    ///   - file: where the source is created.
    ///   - line: where the source is created.
    /// - Returns: the source, inactive.
    public static func makeWriteSource(
        fileDescriptor: Int32, queue: TracedQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> TracedSource {
        TracedSource(
            qs_source_type_write,
            DispatchSource.makeWriteSource(fileDescriptor: fileDescriptor, queue: queue?.underlying), queue: queue,
            creation: CallSite(file: file, line: line))
    }

    /// Creates a source whose event handler runs at times set with `schedule`.
    ///
    /// - Parameters:
    ///   - flags: `.strict` when the leeway must be observed.
    ///   - queue: where the handlers run; nil for a global queue.
    ///   - file: where the source is created.
    ///   - line: where the source is created.
    /// - Returns: the source, inactive.
    public static func makeTimerSource(
        flags: DispatchSource.TimerFlags = [], queue: TracedQueue? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TracedSource {
        TracedSource(
            qs_source_type_timer, DispatchSource.makeTimerSource(flags: flags, queue: queue?.underlying),
            isStrict: flags.contains(.strict), queue: queue, creation: CallSite(file: file, line: line))
    }

    /// Creates a source whose event handler runs when the process gets a signal.
    ///
    /// - Parameters:
    ///   - signal: the signal's number; its default action must be switched off by the program.
    ///   - queue: where the handlers run; nil for a global queue.
    ///   - file: where the source is created.
    ///   - line: where the source is created.
    /// - Returns: the source, inactive.
    public static func makeSignalSource(
        signal: Int32, queue: TracedQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> TracedSource {
        TracedSource(
            qs_source_type_signal, DispatchSource.makeSignalSource(signal: signal, queue: queue?.underlying),
            queue: queue, creation: CallSite(file: file, line: line))
    }

    /// Creates a source whose event handler gets the sum of what `add(data:)` was given.
    ///
    /// - Parameters:
    ///   - queue: where the handlers run; nil for a global queue.
    ///   - file: where the source is created.
    ///   - line: where the source is created.
    /// - Returns: the source, inactive.
    public static func makeUserDataAddSource(
        queue: TracedQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> TracedSource {
        TracedSource(
            qs_source_type_data_add, DispatchSource.makeUserDataAddSource(queue: queue?.underlying), queue: queue,
            creation: CallSite(file: file, line: line))
    }

    /// Creates a source whose event handler gets the union of the bits that `or(data:)` was given.
    ///
    /// - Parameters:
    ///   - queue: where the handlers run; nil for a global queue.
    ///   - file: where the source is created.
    ///   - line: where the source is created.
    /// - Returns: the source, inactive.
    public static func makeUserDataOrSource(
        queue: TracedQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> TracedSource {
        TracedSource(
            qs_source_type_data_or, DispatchSource.makeUserDataOrSource(queue: queue?.underlying), queue: queue,
            creation: CallSite(file: file, line: line))
    }

    /// Creates a source whose event handler gets what `replace(data:)` was given last.
    ///
    /// - Parameters:
    ///   - queue: where the handlers run; nil for a global queue.
    ///   - file: where the source is created.
    ///   - line: where the source is created.
    /// - Returns: the source, inactive.
    public static func makeUserDataReplaceSource(
        queue: TracedQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> TracedSource {
        TracedSource(
            qs_source_type_data_replace, DispatchSource.makeUserDataReplaceSource(queue: queue?.underlying),
            queue: queue, creation: CallSite(file: file, line: line))
    }
}
