import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches an address many times with URLSession, some at the same time, and prints the number of good answers.
guard CommandLine.arguments.count == 3, let address = URL(string: CommandLine.arguments[1]),
    let count = Int(CommandLine.arguments[2])
else {
    FileHandle.standardError.write(Data("usage: URLSessionClient URL REQUESTS\n".utf8))
    exit(64)
}
let requestsAtOnce = 8
let session = URLSession(configuration: .ephemeral)

@Sendable func answered() async throws -> Bool {
    let (data, response) = try await session.data(from: address)
    return (response as? HTTPURLResponse)?.statusCode == 200 && !data.isEmpty
}

let good = try await withThrowingTaskGroup(of: Bool.self) { group in
    var good = 0
    for number in 0..<count {
        if number >= requestsAtOnce, try await group.next() == true { good += 1 }
        group.addTask { try await answered() }
    }
    for try await answer in group where answer { good += 1 }
    return good
}
session.finishTasksAndInvalidate()
print("\(good) of \(count) requests answered")
exit(good == count ? 0 : 1)
