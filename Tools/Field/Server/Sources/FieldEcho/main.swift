import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2

/// Serves an echo on a local port, calls it many times, and ends. Messages are bytes, so that no code is generated.
struct Bytes: MessageSerializer, MessageDeserializer {
    func serialize<Serialized: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Serialized { Serialized(message) }
    func deserialize<Serialized: GRPCContiguousBytes>(_ bytes: Serialized) throws -> [UInt8] {
        bytes.withUnsafeBytes { Array($0) }
    }
}

let echo = MethodDescriptor(fullyQualifiedService: "field.Echo", method: "Get")

struct EchoService: RegistrableRPCService {
    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(forMethod: echo, deserializer: Bytes(), serializer: Bytes()) { request, _ in
            let messages = request.messages
            return StreamingServerResponse { writer in
                try await writer.write(contentsOf: messages)
                return [:]
            }
        }
    }
}

guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[1]),
    let count = Int(CommandLine.arguments[2])
else {
    FileHandle.standardError.write(Data("usage: FieldEcho PORT REQUESTS\n".utf8))
    exit(64)
}
let callersAtOnce = 8

let server = GRPCServer(
    transport: .http2NIOPosix(address: .ipv4(host: "127.0.0.1", port: port), transportSecurity: .plaintext),
    services: [EchoService()])
try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await server.serve() }
    _ = try await server.listeningAddress
    try await withGRPCClient(
        transport: .http2NIOPosix(target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext)
    ) { client in
        try await withThrowingTaskGroup(of: Void.self) { callers in
            for caller in 0..<callersAtOnce {
                callers.addTask {
                    for number in 0..<count / callersAtOnce {
                        let text = Array("caller \(caller), number \(number)".utf8)
                        let answer = try await client.unary(
                            request: ClientRequest(message: text), descriptor: echo, serializer: Bytes(),
                            deserializer: Bytes(), options: .defaults
                        ) { try $0.message }
                        precondition(answer == text)
                    }
                }
            }
            try await callers.waitForAll()
        }
    }
    server.beginGracefulShutdown()
    try await group.waitForAll()
}
print("\(count / callersAtOnce * callersAtOnce) requests answered")
