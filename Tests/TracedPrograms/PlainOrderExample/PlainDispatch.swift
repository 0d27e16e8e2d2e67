import Dispatch

// Defines the names of the traced types for Dispatch's own types. This program does not link Queuescope.

typealias TracedQueue = DispatchQueue

/// Replaces Queuescope's signposter and does nothing.
struct Signposter {
    init(subsystem: String, category: String) {}
    func emitEvent(_ name: StaticString) {}
}
