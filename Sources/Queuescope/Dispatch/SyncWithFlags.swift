import Dispatch

extension DispatchQueue {
    /// `sync(flags:execute:)` that works with every flag.
    ///
    /// With flags other than `.barrier` alone, the overlay of Swift 6.3 ends the process on Linux, because it checks
    /// that the closure did not escape before it releases the block.
    @inlinable
    func syncWithFlags<T>(_ flags: DispatchWorkItemFlags, _ body: () -> T) -> T {
        if flags.isEmpty { return sync(execute: body) }
        if flags == .barrier { return sync(flags: flags, execute: body) }
        var result: T?
        withoutActuallyEscaping({ result = body() }) { sync(execute: DispatchWorkItem(flags: flags, block: $0)) }
        return result!
    }

    /// The same for a closure without a result. It is not generic, because a generic function looks up metadata and
    /// allocates for each call.
    @usableFromInline
    func syncWithFlags(_ flags: DispatchWorkItemFlags, _ body: () -> Void) {
        if flags.isEmpty { return sync(execute: body) }
        if flags == .barrier { return sync(flags: flags, execute: body) }
        withoutActuallyEscaping(body) { sync(execute: DispatchWorkItem(flags: flags, block: $0)) }
    }
}
