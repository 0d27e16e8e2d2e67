import Glibc

/// A connection to an HTTP/1.1 server that sends one request after the other.
///
/// The command does not link Foundation or a TLS library. This client has only the requests of OTLP: POST over TCP with
/// a time limit.
struct HTTPConnection: ~Copyable {
    /// The reason why there is no response.
    enum Failure: Error, Equatable {
        /// The server cannot be reached: the reason.
        case unreachable(String)
        /// The time limit passed.
        case timedOut
        /// The server closed the connection before the end of its response.
        case disconnected
        /// The server sent something else than HTTP, or too much of it.
        case invalidResponse
    }

    private let descriptor: Int32
    /// The bytes that were received after the last response.
    private var received: [UInt8] = []
    private static let pieceSize = 1 << 14

    /// Connects to the first address of a host that accepts the connection.
    ///
    /// - Parameters:
    ///   - host: a name or an address.
    ///   - port: the port.
    ///   - deadline: when the attempt fails. The lookup of the name has the time limit of the resolver.
    /// - Throws: ``Failure``.
    init(to host: String, port: UInt16, until deadline: ContinuousClock.Instant) throws(Failure) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &list)
        guard code == 0 else { throw .unreachable(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var failure = Failure.unreachable("it has no address")
        var next = list
        while let address = next {
            do throws(Failure) {
                descriptor = try Self.open(address.pointee, until: deadline)
                return
            } catch {
                failure = error
            }
            next = address.pointee.ai_next
        }
        throw failure
    }

    deinit { close(descriptor) }

    private static func open(_ address: addrinfo, until deadline: ContinuousClock.Instant) throws(Failure) -> Int32 {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, address.ai_socktype | flags, address.ai_protocol)
        guard descriptor >= 0 else { throw .unreachable(String(cString: strerror(errno))) }
        var isOpen = false
        defer { if !isOpen { close(descriptor) } }
        if connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
            guard errno == EINPROGRESS else { throw .unreachable(String(cString: strerror(errno))) }
            try wait(for: Int16(POLLOUT), on: descriptor, until: deadline)
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
            guard code == 0 else { throw .unreachable(String(cString: strerror(code))) }
        }
        // A request is written at once, so its last segment must not wait for an acknowledgement.
        var isEnabled: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isEnabled, socklen_t(MemoryLayout<Int32>.size))
        isOpen = true
        return descriptor
    }

    private static func wait(
        for events: Int16, on descriptor: Int32, until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        while true {
            let left = ContinuousClock.now.duration(to: deadline).components
            let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
            guard milliseconds >= 0 else { throw .timedOut }
            var poll = pollfd(fd: descriptor, events: events, revents: 0)
            let count = Glibc.poll(&poll, 1, Int32(clamping: milliseconds + 1))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw .disconnected }
        }
    }

    /// Sends a request and reads its response.
    ///
    /// - Parameters:
    ///   - body: the body, in JSON.
    ///   - path: the path of the request.
    ///   - authority: the value of the header `Host`.
    ///   - deadline: when the attempt fails.
    /// - Returns: the response.
    /// - Throws: ``Failure``. The connection can then not be used any more.
    mutating func post(
        _ body: [UInt8], to path: String, at authority: String, until deadline: ContinuousClock.Instant
    ) throws(Failure) -> HTTPResponse {
        let head = """
            POST \(path) HTTP/1.1\r
            Host: \(authority)\r
            User-Agent: queuescope\r
            Content-Type: application/json\r
            Accept: application/json\r
            Content-Length: \(body.count)\r
            \r

            """
        try send(Array(head.utf8), until: deadline)
        try send(body, until: deadline)
        var parser = HTTPResponseParser(received)
        received = []
        while true {
            if let response = try parser.next() {
                received = parser.rest
                return response
            }
            let piece = try receive(until: deadline)
            guard !piece.isEmpty else { return try parser.end() }
            try parser.append(piece)
        }
    }

    private func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(Failure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                try Self.wait(for: Int16(POLLOUT), on: descriptor, until: deadline)
            } else if errno == EPIPE || errno == ECONNRESET {
                // The server may have sent a response that explains it, such as 413, before it closed the connection.
                return
            } else if errno != EINTR {
                throw .disconnected
            }
        }
    }

    /// - Returns: the next bytes; empty after the server closed the connection.
    private func receive(until deadline: ContinuousClock.Instant) throws(Failure) -> [UInt8] {
        while true {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, size in
                count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                size = max(count, 0)
            }
            if count >= 0 { return piece }
            switch errno {
            case EAGAIN: try Self.wait(for: Int16(POLLIN), on: descriptor, until: deadline)
            case EINTR: continue
            case ECONNRESET: return []
            default: throw .disconnected
            }
        }
    }
}
