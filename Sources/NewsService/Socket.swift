import Glibc

/// A TCP socket on the loopback interface.
struct Socket: Sendable {
    let descriptor: Int32

    /// An error of the system, as a sentence.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ operation: String) {
            description = "Cannot \(operation): \(String(cString: strerror(errno)))."
        }
    }

    /// Listens on a port chosen by the system.
    static func listening() throws -> (socket: Socket, port: UInt16) {
        let socket = try make()
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, length) == 0 && listen(socket.descriptor, 512) == 0
                    && getsockname(socket.descriptor, $0, &length) == 0
            }
        }
        guard result else { throw Failure("listen on the loopback interface") }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    static func connected(to port: UInt16) throws -> Socket {
        let socket = try make()
        var address = loopback(port: port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure("connect to port \(port)") }
        return socket
    }

    /// Accepts a waiting connection; nil when there is none.
    func accept() -> Socket? {
        let descriptor = Glibc.accept(descriptor, nil, nil)
        guard descriptor >= 0 else { return nil }
        return Socket(descriptor: descriptor).withoutDelay()
    }

    /// Reads the available bytes into a buffer. Returns the number of bytes, 0 at the end of the stream, or nil when no
    /// bytes are available.
    func receive(into buffer: UnsafeMutableRawBufferPointer, waiting: Bool) -> Int? {
        while true {
            let count = recv(
                descriptor, buffer.baseAddress, buffer.count, waiting ? 0 : Int32(MSG_DONTWAIT))
            if count >= 0 { return count }
            if errno == EAGAIN { return nil }
            if errno != EINTR { return 0 }
        }
    }

    func send(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.send(descriptor, rest.baseAddress, rest.count, 0)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    func close() { _ = Glibc.close(descriptor) }

    private static func make() throws -> Socket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure("make a socket") }
        return Socket(descriptor: descriptor).withoutDelay()
    }

    // Small answers must not wait for the acknowledgement of the previous answer.
    private func withoutDelay() -> Socket {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return self
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}
