// Fifty URLSession requests, five at a time, to an HTTP server that a thread of the program implements with sockets.
import Foundation
import FoundationNetworking

/// Answers every request of a connection with its path and a body of a given size, until the client closes.
final class Server: @unchecked Sendable {
    let port: UInt16
    private let listener: Int32

    init() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let listens = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        precondition(listens, "Cannot listen on the loopback interface.")
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { Self.serve(connection) }
            }
        }
    }

    private static func serve(_ connection: Int32) {
        var pending = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            pending += String(decoding: buffer[..<count], as: UTF8.self)
            while let end = pending.range(of: "\r\n\r\n") {
                let path = pending.split(separator: " ").dropFirst().first ?? ""
                pending.removeSubrange(..<end.upperBound)
                let number = Int(path.split(separator: "/").last ?? "") ?? 0
                let body = String(repeating: "x", count: number * 100) + path
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                _ = answer.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            }
        }
        close(connection)
    }
}

@main
struct Client {
    static func main() async throws {
        let server = Server()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 5
        configuration.connectionProxyDictionary = [:]
        let session = URLSession(configuration: configuration)
        var sizes: [Int: Int] = [:]
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<50 {
                group.addTask {
                    let url = URL(string: "http://127.0.0.1:\(server.port)/item/\(number)")!
                    let (data, response) = try await session.data(from: url)
                    precondition((response as? HTTPURLResponse)?.statusCode == 200)
                    precondition(data.suffix("/item/\(number)".utf8.count) == Data("/item/\(number)".utf8))
                    return (number, data.count)
                }
            }
            for try await (number, size) in group { sizes[number] = size }
        }
        session.invalidateAndCancel()
        print("\(sizes.count) answers, \(sizes.values.reduce(0, +)) bytes")
    }
}
