// Dense indices into the model's tables. State builders and detectors use them as array positions. Each is a distinct
// type, so a queue cannot be mistaken for a thread. The recorder's own numbers (serial numbers, tids, object ids) are
// attributes of the entities.

/// The position of a queue in ``DispatchModel/queues``.
public struct QueueIndex: Sendable, Hashable, Comparable {
    /// The position as a 32-bit integer.
    public let rawValue: Int32
    /// Creates the index of a position.
    @inlinable public init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }
    @inlinable public var position: Int { Int(rawValue) }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a thread in ``DispatchModel/threads``.
public struct ThreadIndex: Sendable, Hashable, Comparable {
    /// The position as a 32-bit integer.
    public let rawValue: Int32
    /// Creates the index of a position.
    @inlinable public init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }
    @inlinable public var position: Int { Int(rawValue) }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a piece of code in ``DispatchModel/codes``. Index 0 is unknown code.
public struct CodeIndex: Sendable, Hashable, Comparable {
    /// The position as a 32-bit integer.
    public let rawValue: Int32
    /// Creates the index of a position.
    @inlinable public init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }
    @inlinable public var position: Int { Int(rawValue) }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    @inlinable public static var unknown: CodeIndex { CodeIndex(0) }
}

/// The position of a source in ``DispatchModel/sources``.
public struct SourceIndex: Sendable, Hashable, Comparable {
    /// The position as a 32-bit integer.
    public let rawValue: Int32
    /// Creates the index of a position.
    @inlinable public init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }
    @inlinable public var position: Int { Int(rawValue) }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a lock in ``DispatchModel/locks``.
public struct LockIndex: Sendable, Hashable, Comparable {
    /// The position as a 32-bit integer.
    public let rawValue: Int32
    /// Creates the index of a position.
    @inlinable public init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }
    @inlinable public var position: Int { Int(rawValue) }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a group in ``DispatchModel/groups``.
public struct GroupIndex: Sendable, Hashable, Comparable {
    /// The position as a 32-bit integer.
    public let rawValue: Int32
    /// Creates the index of a position.
    @inlinable public init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }
    @inlinable public var position: Int { Int(rawValue) }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a semaphore in ``DispatchModel/semaphores``.
public struct SemaphoreIndex: Sendable, Hashable, Comparable {
    /// The position as a 32-bit integer.
    public let rawValue: Int32
    /// Creates the index of a position.
    @inlinable public init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }
    @inlinable public var position: Int { Int(rawValue) }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a call stack in ``DispatchModel/stacks``. Index 0 is the empty stack.
public struct StackIndex: Sendable, Hashable {
    /// The position as a 32-bit integer.
    public let rawValue: Int32
    /// Creates the index of a position.
    @inlinable public init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }
    @inlinable public var position: Int { Int(rawValue) }
    @inlinable public static var none: StackIndex { StackIndex(0) }
}

extension QueueIndex: RowIndex {}
extension SourceIndex: RowIndex {}
extension GroupIndex: RowIndex {}
extension ThreadIndex: RowIndex {
    /// The thread of the first record.
    static var main: ThreadIndex { ThreadIndex(0) }
}

/// An item's number in the model, counted from 0 in the order of enqueue. Unlike the recorder's id, it is never reused.
public struct ItemNumber: Sendable, Hashable, Comparable {
    /// The number.
    public let rawValue: Int64
    /// Creates an item number.
    @inlinable public init(_ rawValue: Int64) { self.rawValue = rawValue }
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
