import Foundation

/// What the demo program says about a run of itself: one JSON line on its standard output.
struct DemoRun: Decodable {
    let variant: String
    /// Wall time.
    let seconds: Double
    let requests: Int
    /// Context switches of the whole process, as `getrusage` counts them.
    let voluntarySwitches: Int
    let involuntarySwitches: Int

    var switches: Int { voluntarySwitches + involuntarySwitches }

    enum CodingKeys: String, CodingKey {
        case variant, seconds, requests
        case voluntarySwitches = "voluntary_switches"
        case involuntarySwitches = "involuntary_switches"
    }

    /// The last line of the output that is such a JSON object; nil when there is none.
    init?(output: Data) {
        for line in output.split(separator: UInt8(ascii: "\n")).reversed() {
            if let run = try? JSONDecoder().decode(DemoRun.self, from: Data(line)) {
                self = run
                return
            }
        }
        return nil
    }
}
