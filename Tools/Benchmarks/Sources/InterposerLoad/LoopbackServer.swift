import Foundation
import Glibc

/// An HTTP server on a loopback port. It has one thread per connection and no Dispatch, because the client is measured.
final class LoopbackServer: Sendable {
    static let bodySize = 4096
    let port: UInt16

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        precondition(bound, "cannot listen on the loopback interface: \(String(cString: strerror(errno)))")
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 { continue }
                Thread.detachNewThread { Self.serve(connection) }
            }
        }
    }

    private static func serve(_ connection: Int32) {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bodySize)\r\nContent-Type: text/plain\r\n\r\n"
        let answer = Array(head.utf8) + [UInt8](repeating: 0x61, count: bodySize)
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count <= 0 { break }
            pending += buffer[..<count]
            while let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
                pending.removeSubrange(..<end.upperBound)
                if send(connection, answer, answer.count, Int32(MSG_NOSIGNAL)) != answer.count { break }
            }
        }
        close(connection)
    }
}
