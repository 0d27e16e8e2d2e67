import CTraceRecorder
import Dispatch

/// Finds the C object behind one of the Dispatch overlay's classes.
///
/// Off Darwin `DispatchQueue`, `DispatchSource` and `DispatchWorkItem` are Swift classes with one stored property
/// that the overlay keeps to itself: the C object (for a work item its block). It is the first one, so it lies behind
/// the two words of the object's header. The main queue, whose address the C library exports, proves at run time that
/// this is still so.
enum DispatchPointer {
    private static let firstStoredProperty = 2 * MemoryLayout<UInt>.size

    /// Whether the layout is the known one. When it is not, queues get numbers of our own and no pending data is read.
    static let layoutIsKnown: Bool = {
        guard let main = qs_main_queue() else { return false }
        return load(from: DispatchQueue.main) == main
    }()

    /// The `dispatch_queue_t` of a queue, or nil when the layout is not known.
    static func queue(_ queue: DispatchQueue) -> UnsafeRawPointer? { layoutIsKnown ? load(from: queue) : nil }

    /// The `dispatch_source_t` of a source, or nil when the layout is not known.
    static func source(_ source: DispatchSource) -> UnsafeRawPointer? { layoutIsKnown ? load(from: source) : nil }

    /// The `dispatch_block_t` of a work item, or nil when the layout is not known.
    static func block(_ workItem: DispatchWorkItem) -> UnsafeRawPointer? { layoutIsKnown ? load(from: workItem) : nil }

    private static func load(from object: AnyObject) -> UnsafeRawPointer? {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        return UnsafeRawPointer(bitPattern: address.load(fromByteOffset: firstStoredProperty, as: UInt.self))
    }
}
