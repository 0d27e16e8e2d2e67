import Glibc

/// A pipe that transports messages of one byte, as a connection does.
final class MessagePipe: Sendable {
    /// The end to read from. Reading never blocks.
    let input: Int32
    private let output: Int32

    init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "Cannot make a pipe.")
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (input, output) = (ends[0], ends[1])
    }

    /// Sends a message.
    func send() {
        var message: UInt8 = 1
        _ = write(output, &message, 1)
    }

    /// Reads one message; returns false when there is none.
    @discardableResult
    func receive() -> Bool {
        var message: UInt8 = 0
        return read(input, &message, 1) == 1
    }
}
