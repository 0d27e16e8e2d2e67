import CTraceRecorder
import Dispatch

/// Finds the C object of a class of the Dispatch overlay.
///
/// Except on Darwin, `DispatchQueue`, `DispatchSource` and `DispatchWorkItem` are Swift classes. Their first stored
/// property, which is private, is the C object (for a work item its block). It is stored after the two words of the
/// object header. The main queue verifies this layout at run time, because the C library exports its address.
enum DispatchPointer {
    private static let firstStoredProperty = 2 * MemoryLayout<UInt>.size

    /// Whether the layout is as expected. Otherwise queues get numbers from the recorder, and no pending data is read.
    static let layoutIsKnown: Bool = {
        guard let main = qs_main_queue() else { return false }
        return load(from: DispatchQueue.main) == main
    }()

    /// The `dispatch_queue_t` of a queue, or nil if the layout is unknown.
    static func queue(_ queue: DispatchQueue) -> UnsafeRawPointer? { layoutIsKnown ? load(from: queue) : nil }

    /// The `dispatch_source_t` of a source, or nil if the layout is unknown.
    static func source(_ source: DispatchSource) -> UnsafeRawPointer? { layoutIsKnown ? load(from: source) : nil }

    /// The `dispatch_block_t` of a work item, or nil if the layout is unknown.
    static func block(_ workItem: DispatchWorkItem) -> UnsafeRawPointer? { layoutIsKnown ? load(from: workItem) : nil }

    private static func load(from object: AnyObject) -> UnsafeRawPointer? {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        return UnsafeRawPointer(bitPattern: address.load(fromByteOffset: firstStoredProperty, as: UInt.self))
    }
}
