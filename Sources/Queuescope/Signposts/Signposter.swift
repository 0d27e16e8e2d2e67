import CTraceRecorder

/// Marks intervals and events of the program in the trace; shaped like `OSSignposter`.
///
/// Thread safety: every method may be called on any thread.
public struct Signposter: Sendable {
    @usableFromInline let log: UInt32

    /// A signposter that marks nothing.
    public static let disabled = Signposter()

    /// Creates a signposter.
    ///
    /// - Parameters:
    ///   - subsystem: a reverse-DNS name of the part of the program, such as `org.example.news`.
    ///   - category: what in it the marks are about, such as `database`.
    public init(subsystem: String, category: String) {
        log = SignpostLogs.number(subsystem: subsystem, category: category)
    }

    private init() { log = 0 }

    /// Whether marks are recorded now.
    @inlinable public var isEnabled: Bool { log != 0 && qs_is_recording() }

    /// Makes an id for an interval that may overlap others of the same name.
    ///
    /// - Returns: an id that no other interval has.
    public func makeSignpostID() -> SignpostID { SignpostID(rawValue: qs_new_object()) }

    /// Makes an id that belongs to an object for as long as it lives.
    ///
    /// - Parameter object: the object, for instance the request that the interval is about.
    /// - Returns: the same id for the same object.
    public func makeSignpostID(from object: AnyObject) -> SignpostID {
        // Addresses of user space fit in the 48 bits that a signpost has in the trace.
        SignpostID(rawValue: UInt64(UInt(bitPattern: ObjectIdentifier(object))) & 0xFFFF_FFFF_FFFF)
    }

    /// Begins an interval.
    ///
    /// - Parameters:
    ///   - name: the interval's name.
    ///   - id: tells it from others of the same name that are open.
    ///   - message: free text, made only while a session records.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    /// - Returns: what `endInterval` needs.
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
    ///   - state: what `beginInterval` returned.
    ///   - message: free text, made only while a session records.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    @inlinable
    public func endInterval(
        _ name: StaticString, _ state: SignpostIntervalState, _ message: @autoclosure () -> String = "",
        file: StaticString = #fileID, line: UInt = #line
    ) {
        // An interval that began before the session has no begin in the trace.
        guard isEnabled, state.id != .exclusive else { return }
        record(.end, name, state.id, message(), CallSite(file: file, line: line))
    }

    /// Marks a point in time.
    ///
    /// - Parameters:
    ///   - name: the event's name.
    ///   - id: ties it to an interval.
    ///   - message: free text, made only while a session records.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
    ///   - id: tells it from others of the same name that are open.
    ///   - message: free text, made only while a session records.
    ///   - task: what to run.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
    @inlinable
    public func withIntervalSignpost<T: ~Copyable, E: Error>(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = "",
        around task: () throws(E) -> T, file: StaticString = #fileID, line: UInt = #line
    ) throws(E) -> T {
        let state = beginInterval(name, id: id, message(), file: file, line: line)
        defer { endInterval(name, state, file: file, line: line) }
        return try task()
    }

    /// The same around an async call, such as one request of a service: `queuescope report --request` tells where its
    /// time went, on the task that began it.
    ///
    /// - Parameters:
    ///   - name: what the interval is called.
    ///   - id: tells it from others of the same name that are open.
    ///   - message: free text, made only while a session records, such as the request's id.
    ///   - isolation: the actor that the call stays on.
    ///   - task: what to run.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
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

/// Tells intervals of the same name apart.
public struct SignpostID: RawRepresentable, Hashable, Sendable {
    /// The number in the trace; 48 bits.
    public let rawValue: UInt64

    /// Creates an id.
    ///
    /// - Parameter rawValue: the number; the trace keeps its lower 48 bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// For intervals that never overlap another one of the same name.
    public static let exclusive = SignpostID(rawValue: 0)
}

/// An interval that has begun: hand it to `Signposter.endInterval`.
public struct SignpostIntervalState: Sendable {
    /// The interval's id in the trace; `.exclusive` when it began while nothing recorded.
    public let id: SignpostID

    @usableFromInline
    init(id: SignpostID) { self.id = id }
}

extension Signposter {
    /// Which event a mark is.
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
