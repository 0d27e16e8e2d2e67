import Glibc

/// A System V shared memory segment, as a recorder uses it for its arena.
public struct SharedMemory {
    public let identifier: Int32

    /// - Parameter bytes: the content.
    public init(_ bytes: [UInt8]) {
        identifier = shmget(IPC_PRIVATE, max(bytes.count, 1), 0o600 | IPC_CREAT)
        precondition(identifier >= 0, "shmget: \(String(cString: strerror(errno)))")
        attached { $0.copyMemory(from: bytes, byteCount: bytes.count) }
    }

    /// The memory of a recorder.
    ///
    /// - Parameter reference: the content of the file `.arena` of its trace.
    public init?(named reference: String) {
        let words = reference.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, words[0] == "shm", let identifier = Int32(words[1]) else { return nil }
        self.identifier = identifier
    }

    private func attached<T>(_ body: (UnsafeMutableRawPointer) -> T) -> T {
        let address = shmat(identifier, nil, 0)!
        precondition(Int(bitPattern: address) != -1, "shmat: \(String(cString: strerror(errno)))")
        defer { shmdt(address) }
        return body(address)
    }

    private var status: shmid_ds? {
        var status = shmid_ds()
        return shmctl(identifier, IPC_STAT, &status) == 0 ? status : nil
    }

    public var exists: Bool { status != nil }

    public var bytes: [UInt8] {
        let count = Int(status?.shm_segsz ?? 0)
        return attached { Array(UnsafeRawBufferPointer(start: $0, count: count)) }
    }

    /// Calls `body` while this process is attached.
    public func whileAttached<T>(_ body: () throws -> T) rethrows -> T {
        let address = shmat(identifier, nil, SHM_RDONLY)!
        defer { shmdt(address) }
        return try body()
    }

    public func remove() { shmctl(identifier, IPC_RMID, nil) }
}
