import CTraceRecorder
import Dispatch

extension TracedSource {
    /// Creates a source whose event handler runs when a file descriptor has bytes to read.
    ///
    /// - Parameters:
    ///   - fileDescriptor: the descriptor, which must stay open until the cancel handler runs.
    ///   - queue: the queue on which the handlers run; nil for a global queue.
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
    ///   - fileDescriptor: the descriptor, which must stay open until the cancel handler runs.
    ///   - queue: the queue on which the handlers run; nil for a global queue.
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
    ///   - flags: `.strict` to observe the leeway strictly.
    ///   - queue: the queue on which the handlers run; nil for a global queue.
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
    ///   - signal: the number of the signal. The program must disable its default action.
    ///   - queue: the queue on which the handlers run; nil for a global queue.
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

    /// Creates a source whose event handler gets the sum of the values passed to `add(data:)`.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the handlers run; nil for a global queue.
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

    /// Creates a source whose event handler gets the union of the bits passed to `or(data:)`.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the handlers run; nil for a global queue.
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

    /// Creates a source whose event handler gets the latest value passed to `replace(data:)`.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the handlers run; nil for a global queue.
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
