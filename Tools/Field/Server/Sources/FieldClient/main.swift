import AsyncHTTPClient
import Foundation
import NIOCore

/// Sends a fixed number of requests, every fifth a write, some at the same time. Prints the number of expected answers.
guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[1]),
    let count = Int(CommandLine.arguments[2])
else {
    FileHandle.standardError.write(Data("usage: FieldClient PORT REQUESTS\n".utf8))
    exit(64)
}
let address = "http://127.0.0.1:\(port)/notes"
let requestsAtOnce = 16

@Sendable func answered(_ number: Int) async throws -> Bool {
    var request = HTTPClientRequest(url: address)
    if number % 5 == 0 {
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: "{\"text\":\"note \(number)\"}"))
    }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    _ = try await response.body.collect(upTo: 1 << 20)
    return response.status == (number % 5 == 0 ? .created : .ok)
}

let good = try await withThrowingTaskGroup(of: Bool.self) { group in
    var good = 0
    for number in 0..<count {
        if number >= requestsAtOnce, try await group.next() == true { good += 1 }
        group.addTask { try await answered(number) }
    }
    for try await answer in group where answer { good += 1 }
    return good
}
print("\(good) of \(count) requests answered")
exit(good == count ? 0 : 1)
