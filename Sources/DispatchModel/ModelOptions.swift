/// What a user can change about how a trace is read.
public struct ModelOptions: Sendable {
    /// How far the clocks of two threads may disagree before it counts as a violation of an invariant.
    ///
    /// Reason for 200 ns: one time stamp counter serves all threads, but the instruction may be executed some tens of
    /// nanoseconds before or after the store that it describes, and the counters of two processors are only
    /// synchronised to about as much. Two hundred nanoseconds is well above both and well below any real overlap.
    public var clockTolerance: Nanoseconds
    /// What to find the critical path of; nil for nothing, which saves the time.
    public var criticalPath: CriticalPath.Target?
    /// Tells what kind of function is at an address; nil when nothing does.
    public var functions: (any FunctionKinds)?

    /// - Parameters:
    ///   - clockTolerance: how far the clocks of two threads may disagree.
    ///   - criticalPath: what to find the critical path of; nil for nothing.
    ///   - functions: tells what kind of function is at an address.
    public init(
        clockTolerance: Nanoseconds = Nanoseconds(200), criticalPath: CriticalPath.Target? = nil,
        functions: (any FunctionKinds)? = nil
    ) {
        self.clockTolerance = clockTolerance
        self.criticalPath = criticalPath
        self.functions = functions
    }
}

/// Tells what kind of function is at an address of the recorded process, by the symbols of its images.
///
/// Classes only: the code that Swift 6.3 makes to destroy a non-copyable struct, such as ``ModelBuilder``, releases its
/// other members twice when one is of a type that is not known to be a class.
public protocol FunctionKinds: AnyObject, Sendable {
    /// Whether the compiler copied the function into the program from Swift's own libraries, such as
    /// `withCheckedContinuation`: nobody looks for his own code there.
    ///
    /// - Parameters:
    ///   - address: in the function.
    ///   - image: the image that holds it.
    func isCopied(_ address: UInt64, in image: Image) -> Bool

    /// Whether all that the function does is take a lock for its caller, such as `NIOLock.withLock(_:)`.
    ///
    /// - Parameters:
    ///   - address: in the function.
    ///   - image: the image that holds it.
    func takesLock(_ address: UInt64, in image: Image) -> Bool

    /// Whether all that the function does is make a continuation for its caller, such as SwiftNIO's
    /// `withNIOUnsafeThrowingContinuation`.
    ///
    /// - Parameters:
    ///   - address: in the function.
    ///   - image: the image that holds it.
    func makesContinuation(_ address: UInt64, in image: Image) -> Bool

    /// The closure that a partial apply forwarder leads to, of which optimised code has several for one closure; nil
    /// for any other function.
    ///
    /// - Parameters:
    ///   - address: in the function.
    ///   - image: the image that holds it.
    /// - Returns: the closure's symbol.
    func forwardedClosure(_ address: UInt64, in image: Image) -> String?
}

extension FunctionKinds {
    public func makesContinuation(_ address: UInt64, in image: Image) -> Bool { false }

    public func forwardedClosure(_ address: UInt64, in image: Image) -> String? { nil }
}
