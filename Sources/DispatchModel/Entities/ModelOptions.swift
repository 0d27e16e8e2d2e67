/// Options of a user for reading a trace.
public struct ModelOptions: Sendable {
    /// The largest difference between the clocks of two threads that is not a violation of an invariant.
    ///
    /// Reason for 200 ns: one time stamp counter serves all threads, but the instruction can execute some tens of
    /// nanoseconds before or after the store that it describes, and the counters of two processors are synchronised to
    /// about the same precision. The value is well above both, and well below any real overlap.
    public var clockTolerance: Nanoseconds
    /// The target of the critical path; nil for none, which saves time.
    public var criticalPath: CriticalPath.Target?
    /// Classifies the functions at addresses; nil if no symbols are available.
    public var functions: (any FunctionKinds)?

    /// - Parameters:
    ///   - clockTolerance: the largest difference between the clocks of two threads.
    ///   - criticalPath: the target of the critical path; nil for none.
    ///   - functions: classifies the functions at addresses.
    public init(
        clockTolerance: Nanoseconds = Nanoseconds(200), criticalPath: CriticalPath.Target? = nil,
        functions: (any FunctionKinds)? = nil
    ) {
        self.clockTolerance = clockTolerance
        self.criticalPath = criticalPath
        self.functions = functions
    }
}

/// Classifies functions of the recorded process by address, using the symbols of its images.
///
/// Restricted to classes: in Swift 6.3, the generated destructor of a non-copyable struct, such as ``ModelBuilder``,
/// releases its other members twice if one has a type that is not known to be a class.
public protocol FunctionKinds: AnyObject, Sendable {
    /// Whether the compiler copied the function from a library of Swift into the program, such as
    /// `withCheckedContinuation`. It is not code of the program's authors.
    ///
    /// - Parameters:
    ///   - address: an address in the function.
    ///   - image: the image that contains it.
    func isCopied(_ address: UInt64, in image: Image) -> Bool

    /// Whether the function only takes a lock for its caller, such as `NIOLock.withLock(_:)`.
    ///
    /// - Parameters:
    ///   - address: an address in the function.
    ///   - image: the image that contains it.
    func takesLock(_ address: UInt64, in image: Image) -> Bool

    /// Whether the program can call the function of a library only through a protocol: it is a protocol witness, or the
    /// library's symbol table omits it.
    ///
    /// - Parameters:
    ///   - address: an address in the function.
    ///   - image: the library that contains it.
    func isWitness(_ address: UInt64, in image: Image) -> Bool

    /// Whether the function only creates a continuation for its caller, such as SwiftNIO's
    /// `withNIOUnsafeThrowingContinuation`.
    ///
    /// - Parameters:
    ///   - address: an address in the function.
    ///   - image: the image that contains it.
    func makesContinuation(_ address: UInt64, in image: Image) -> Bool

    /// The closure that a partial apply forwarder calls; nil for other functions, and for an address inside the
    /// forwarder, where a call of an inlined closure returns. Optimised code can have several forwarders for one
    /// closure.
    ///
    /// - Parameters:
    ///   - address: the first address of the function.
    ///   - image: the image that contains it.
    /// - Returns: the closure's symbol.
    func forwardedClosure(_ address: UInt64, in image: Image) -> String?
}

extension FunctionKinds {
    public func isWitness(_ address: UInt64, in image: Image) -> Bool { false }

    public func makesContinuation(_ address: UInt64, in image: Image) -> Bool { false }

    public func forwardedClosure(_ address: UInt64, in image: Image) -> String? { nil }
}
