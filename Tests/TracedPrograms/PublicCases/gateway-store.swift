// An application decodes all its gateways on the main thread when it starts, while its first events are due.
//: source https://github.com/nymtech/nym-vpn-client/issues/6300
//: detector main-queue-hang
//: code loadGateways
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

struct Gateway: Codable {
    let name: String
    let seen: Date
}

func loadGateways(_ json: Data) -> Int {
    let formatter = ISO8601DateFormatter()
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
        formatter.date(from: try decoder.singleValueContainer().decode(String.self)) ?? Date()
    }
    return (try? decoder.decode([Gateway].self, from: json).count) ?? 0
}

let entries = (0..<40_000).map { "{\"name\":\"gateway \($0)\",\"seen\":\"2026-03-01T12:00:00Z\"}" }
let json = Data("[\(entries.joined(separator: ","))]".utf8)
let loader = fixed ? DispatchQueue(label: "gateways.loader") : DispatchQueue.main
let loaded = DispatchGroup()
loader.async(group: loaded) { print(loadGateways(json)) }
DispatchQueue.global().async {
    for _ in 0..<5 { DispatchQueue.main.async(group: loaded) {}; usleep(20_000) }
    loaded.notify(queue: .main) { exit(0) }
}
dispatchMain()
