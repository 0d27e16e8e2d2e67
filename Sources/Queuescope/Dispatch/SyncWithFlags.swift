import Dispatch

extension DispatchQueue {
    /// `sync(flags:execute:)` that works with every flag.
    ///
    /// With flags other than none and `.barrier` alone, the overlay of Swift 6.3 ends the process on Linux: its check
    /// that the closure did not escape comes before it has released the block.
    @usableFromInline
    func syncWithFlags(_ flags: DispatchWorkItemFlags, _ body: () -> Void) {
        if flags.isEmpty {
            // Not generic, unlike the one with flags: that looks up metadata and allocates for each call.
            sync(execute: body)
        } else if flags == .barrier {
            sync(flags: flags, execute: body)
        } else {
            withoutActuallyEscaping(body) { sync(execute: DispatchWorkItem(flags: flags, block: $0)) }
        }
    }
}
