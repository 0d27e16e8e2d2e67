import Glibc

/// Writes all bytes to a file descriptor.
enum FileDescriptorWriter {
    /// - Returns: nil when everything is written, otherwise `errno`.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                // Another process made the descriptor non-blocking: wait until it is writable.
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
