import CTraceRecorder

/// Records intervals and events of the program in the trace. The API is similar to `OSSignposter`.
///
/// Thread safety: every method may be called on any thread.
public struct Signposter: Sendable {
    @usableFromInline let log: UInt32

    /// A signposter that records nothing.
    public static let disabled = Signposter()

    /// Creates a signposter.
    ///
    /// - Parameters:
    ///   - subsystem: the reverse-DNS name of a part of the program, such as `org.example.news`.
    ///   - category: the topic within the subsystem, such as `database`.
    public init(subsystem: String, category: String) {
        log = SignpostLogs.number(subsystem: subsystem, category: category)
    }

    private init() { log = 0 }

    /// True while intervals and events are recorded.
    @inlinable public var isEnabled: Bool { log != 0 && qs_is_recording() }

    /// Creates an id for an interval that may overlap others of the same name.
    ///
    /// - Returns: a unique id.
    public func makeSignpostID() -> SignpostID { SignpostID(rawValue: qs_new_object()) }

    /// Creates an id from an object. The id is valid for the life of the object.
    ///
    /// - Parameter object: the object, for example the request of the interval.
    /// - Returns: the same id for the same object.
    public func makeSignpostID(from object: AnyObject) -> SignpostID {
        // Addresses of user space fit in the 48 bits that a signpost has in the trace.
        SignpostID(rawValue: UInt64(UInt(bitPattern: ObjectIdentifier(object))) & 0xFFFF_FFFF_FFFF)
    }

    /// Begins an interval.
    ///
    /// - Parameters:
    ///   - name: the interval's name.
    ///   - id: distinguishes open intervals of the same name.
    ///   - message: free text, evaluated only while a session records.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the state to pass to `endInterval`.
    @inlinable
    public func beginInterval(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignpostIntervalState {
        guard isEnabled else { return SignpostIntervalState(id: id) }
        let state = SignpostIntervalState(id: id == .exclusive ? makeSignpostID() : id)
        record(.begin, name, state.id, message(), CallSite(file: file, line: line))
        return state
    }

    /// Ends an interval.
    ///
    /// - Parameters:
    ///   - name: the interval's name.
    ///   - state: the result of `beginInterval`.
    ///   - message: free text, evaluated only while a session records.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func endInterval(
        _ name: StaticString, _ state: SignpostIntervalState, _ message: @autoclosure () -> String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) {
        // An interval that began before the session has no begin in the trace.
        guard isEnabled, state.id != .exclusive else { return }
        record(.end, name, state.id, message(), CallSite(file: file, line: line))
    }

    /// Records an event at the current time.
    ///
    /// - Parameters:
    ///   - name: the event's name.
    ///   - id: the interval of the event.
    ///   - message: free text, evaluated only while a session records.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func emitEvent(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) {
        guard isEnabled else { return }
        record(.event, name, id, message(), CallSite(file: file, line: line))
    }

    /// Runs a closure as an interval.
    ///
    /// - Parameters:
    ///   - name: the interval's name.
    ///   - id: distinguishes open intervals of the same name.
    ///   - message: free text, evaluated only while a session records.
    ///   - task: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    @inlinable
    public func withIntervalSignpost<T: ~Copyable, E: Error>(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = "",
        around task: () throws(E) -> T, file: StaticString = #fileID, line: UInt = #line
    ) throws(E) -> T {
        let state = beginInterval(name, id: id, message(), file: file, line: line)
        defer { endInterval(name, state, file: file, line: line) }
        return try task()
    }

    /// Runs an async closure as an interval, such as a request of a service. `queuescope report --request` reports how
    /// the interval spent its time, on the task that began it.
    ///
    /// - Parameters:
    ///   - name: the name of the interval.
    ///   - id: distinguishes open intervals of the same name.
    ///   - message: free text, evaluated only while a session records, such as the id of the request.
    ///   - isolation: the actor on which the closure runs.
    ///   - task: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    @inlinable
    public func withIntervalSignpost<T, E: Error>(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = "",
        isolation: isolated (any Actor)? = #isolation, around task: () async throws(E) -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(E) -> T {
        let state = beginInterval(name, id: id, message(), file: file, line: line)
        defer { endInterval(name, state, file: file, line: line) }
        return try await task()
    }
}

/// Distinguishes intervals of the same name.
public struct SignpostID: RawRepresentable, Hashable, Sendable {
    /// The number in the trace; 48 bits.
    public let rawValue: UInt64

    /// Creates an id.
    ///
    /// - Parameter rawValue: the number; the trace keeps its lower 48 bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// For intervals that never overlap another interval of the same name.
    public static let exclusive = SignpostID(rawValue: 0)
}

/// An interval that has begun. Pass it to `Signposter.endInterval`.
public struct SignpostIntervalState: Sendable {
    /// The id of the interval in the trace; `.exclusive` if no session recorded at its begin.
    public let id: SignpostID

    @usableFromInline
    init(id: SignpostID) { self.id = id }
}

extension Signposter {
    /// The kind of a signpost event.
    @usableFromInline
    enum Mark: Sendable { case begin, end, event }

    @usableFromInline
    @inline(never)
    func record(_ mark: Mark, _ name: StaticString, _ id: SignpostID, _ message: String, _ site: CallSite) {
        record(mark, site.code(named: name), id, message)
    }

    func record(_ mark: Mark, _ code: UInt32, _ id: SignpostID, _ message: String) {
        message.withCChars { text in
            switch mark {
            case .begin: qs_record_signpost_begin(id.rawValue, log, code, text.baseAddress, text.count)
            case .end: qs_record_signpost_end(id.rawValue, log, code, text.baseAddress, text.count)
            case .event: qs_record_signpost_event(id.rawValue, log, code, text.baseAddress, text.count)
            }
        }
    }
}
