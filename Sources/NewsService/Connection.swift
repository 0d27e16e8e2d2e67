import Dispatch

/// The connection of a client, from its acceptance until the client disconnects.
protocol Connection: AnyObject, Sendable {}

extension Socket {
    /// Reads all received data. Returns false at the end of the stream.
    func receiveAll(into lines: inout LineBuffer) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            while let count = receive(into: buffer, waiting: false) {
                guard count > 0 else { return false }
                lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                if count < buffer.count { break }
            }
            return true
        }
    }
}
