import Glibc
import Synchronization

// Swift's glibc module does not export these functions.
@_silgen_name("epoll_create1") private func epoll_create1(_ flags: Int32) -> Int32
@_silgen_name("epoll_ctl") private func epoll_ctl(
    _ set: Int32, _ operation: Int32, _ descriptor: Int32, _ event: UnsafeMutableRawPointer) -> Int32
@_silgen_name("epoll_wait") private func epoll_wait(
    _ set: Int32, _ events: UnsafeMutableRawPointer, _ count: Int32, _ timeout: Int32) -> Int32
@_silgen_name("eventfd") private func eventfd(_ value: UInt32, _ flags: Int32) -> Int32
@_silgen_name("eventfd_write") private func eventfd_write(_ descriptor: Int32, _ value: UInt64) -> Int32
@_silgen_name("eventfd_read") private func eventfd_read(_ descriptor: Int32, _ value: inout UInt64) -> Int32
@_silgen_name("pthread_setname_np") private func pthread_setname_np(
    _ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32

/// A thread that waits for connections and for submitted tasks, as the event loops of network libraries do.
final class EventLoop: Sendable {
    private let set: Int32
    private let wakes: Int32
    private let state = Mutex(State())

    private struct State {
        var tasks: [@Sendable () -> Void] = []
        /// The readers by descriptor.
        var readers: [Int32: @Sendable () -> Void] = [:]
        var isStopped = false
    }

    init() {
        set = epoll_create1(0)
        wakes = eventfd(0, O_NONBLOCK)
        add(wakes)
    }

    private func add(_ descriptor: Int32) {
        let readable: UInt32 = 1  // EPOLLIN
        let isAdded = Self.withEvent { event in
            event.storeBytes(of: readable, as: UInt32.self)
            event.storeBytes(of: descriptor, toByteOffset: Self.dataOffset, as: Int32.self)
            return epoll_ctl(set, 1, descriptor, event) == 0  // EPOLL_CTL_ADD
        }
        precondition(isAdded, "Cannot add a descriptor to an epoll set.")
    }

    /// Space for a `struct epoll_event`, which is packed on x86-64.
    private static func withEvent<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
        var event: (UInt64, UInt64) = (0, 0)
        return withUnsafeMutableBytes(of: &event) { body($0.baseAddress!) }
    }

    private static var dataOffset: Int {
        #if arch(x86_64)
            4
        #else
            8
        #endif
    }

    /// Calls the reader on the loop whenever the descriptor is readable.
    func read(_ descriptor: Int32, _ reader: @escaping @Sendable () -> Void) {
        state.withLock { $0.readers[descriptor] = reader }
        add(descriptor)
    }

    /// Runs the task on the loop in its next iteration.
    func execute(_ task: @escaping @Sendable () -> Void) {
        state.withLock { $0.tasks.append(task) }
        _ = eventfd_write(wakes, 1)
    }

    /// Makes ``run(name:)`` return.
    func stop() {
        state.withLock { $0.isStopped = true }
        _ = eventfd_write(wakes, 1)
    }

    /// Runs the loop on this thread until it is stopped.
    func run(name: String) {
        _ = pthread_setname_np(pthread_self(), name)
        while !state.withLock({ $0.isStopped }) {
            let ready: Int32? = Self.withEvent { event in
                guard epoll_wait(set, event, 1, -1) == 1 else { return nil }
                return event.load(fromByteOffset: Self.dataOffset, as: Int32.self)
            }
            guard let ready else { continue }
            if ready == wakes {
                var value: UInt64 = 0
                _ = eventfd_read(wakes, &value)
                let tasks = state.withLock { state in
                    defer { state.tasks = [] }
                    return state.tasks
                }
                for task in tasks { task() }
            } else {
                state.withLock { $0.readers[ready] }?()
            }
        }
    }
}
