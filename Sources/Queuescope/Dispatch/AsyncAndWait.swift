import Dispatch
import Glibc

/// `dispatch_async_and_wait`, which libdispatch has on Linux and its Swift overlay has not.
///
/// It is looked up at run time because no header of the toolchain declares it. Where it is not exported, as in a
/// statically linked program, `sync` takes its place: it differs only in which thread may run the item.
enum AsyncAndWait {
    private typealias FunctionForm =
        @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer, @convention(c) (UnsafeMutableRawPointer) -> Void) ->
        Void
    private typealias BlockForm = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> Void

    private static let plain = find("dispatch_async_and_wait_f").map { unsafeBitCast($0, to: FunctionForm.self) }
    private static let barrier = find("dispatch_barrier_async_and_wait_f").map {
        unsafeBitCast($0, to: FunctionForm.self)
    }
    private static let block = find("dispatch_async_and_wait").map { unsafeBitCast($0, to: BlockForm.self) }

    private static func find(_ symbol: String) -> UnsafeMutableRawPointer? { dlsym(nil, symbol) }

    /// Runs `body` on `queue` and waits for it.
    static func call(_ queue: DispatchQueue, flags: DispatchWorkItemFlags, _ body: () -> Void) {
        guard let pointer = DispatchPointer.queue(queue), let plain, let barrier else {
            queue.syncWithFlags(flags, body)
            return
        }
        if flags.isEmpty || flags == .barrier {
            call(flags.isEmpty ? plain : barrier, pointer, body)
        } else {
            // Other flags need a block with private data, as the overlay makes for `sync(flags:)`.
            withoutActuallyEscaping(body) { escapable in
                call(queue, DispatchWorkItem(flags: flags, block: escapable))
            }
        }
    }

    /// Runs a work item on `queue` and waits for it.
    static func call(_ queue: DispatchQueue, _ workItem: DispatchWorkItem) {
        guard let pointer = DispatchPointer.queue(queue), let item = DispatchPointer.block(workItem), let block else {
            queue.sync(execute: workItem)
            return
        }
        block(pointer, item)
        withExtendedLifetime((queue, workItem)) {}
    }

    private static func call(_ function: FunctionForm, _ queue: UnsafeRawPointer, _ body: () -> Void) {
        withoutActuallyEscaping(body) { escapable in
            var closure = escapable
            withUnsafeMutablePointer(to: &closure) { context in
                function(queue, UnsafeMutableRawPointer(context)) {
                    $0.assumingMemoryBound(to: (() -> Void).self).pointee()
                }
            }
        }
    }
}
