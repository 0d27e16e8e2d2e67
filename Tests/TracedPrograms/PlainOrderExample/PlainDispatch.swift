import Dispatch

// The names of the traced twin, given to Dispatch's own types: nothing of Queuescope is in this program.

typealias TracedQueue = DispatchQueue

/// Signposts belong to Queuescope: here they are nothing.
struct Signposter {
    init(subsystem: String, category: String) {}
    func emitEvent(_ name: StaticString) {}
}
