import Dispatch
import Glibc

/// `dispatch_async_and_wait`, which libdispatch exports on Linux but its Swift overlay does not declare.
///
/// The function is looked up at run time, because no header of the toolchain declares it. If it is not exported, as in
/// a statically linked program, `sync` is called instead: it differs only in the thread that may run the item.
enum AsyncAndWait {
    private typealias OfClosure = @convention(c) (UnsafeRawPointer, @convention(block) () -> Void) -> Void
    private typealias OfBlock = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> Void

    private static let plain = find("dispatch_async_and_wait")
    private static let barrier = find("dispatch_barrier_async_and_wait")

    private static func find(_ symbol: String) -> OfClosure? {
        dlsym(nil, symbol).map { unsafeBitCast($0, to: OfClosure.self) }
    }

    /// Runs `body` on `queue` and waits for it.
    static func call(_ queue: DispatchQueue, flags: DispatchWorkItemFlags, _ body: () -> Void) {
        guard let pointer = DispatchPointer.queue(queue), let plain, let barrier else {
            queue.syncWithFlags(flags, body)
            return
        }
        if flags.isEmpty || flags == .barrier {
            (flags.isEmpty ? plain : barrier)(pointer, body)
            withExtendedLifetime(queue) {}
        } else {
            // Other flags need a block with private data, as the overlay creates for `sync(flags:)`.
            withoutActuallyEscaping(body) { escapable in
                call(queue, DispatchWorkItem(flags: flags, block: escapable))
            }
        }
    }

    /// Runs a work item on `queue` and waits for it.
    static func call(_ queue: DispatchQueue, _ workItem: DispatchWorkItem) {
        guard let pointer = DispatchPointer.queue(queue), let item = DispatchPointer.block(workItem), let plain else {
            queue.sync(execute: workItem)
            return
        }
        unsafeBitCast(plain, to: OfBlock.self)(pointer, item)
        withExtendedLifetime((queue, workItem)) {}
    }
}
