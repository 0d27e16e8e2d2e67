/// The output of the program. The checksum is equal in both variants; the other values are for comparison.
struct Outcome {
    let variant: Variant
    let seconds: Double
    let requests: Int
    /// The sum over every answer that the clients received, in any order, and over the words that the state counted.
    let checksum: UInt64
    let voluntarySwitches: Int
    let involuntarySwitches: Int

    /// One line of JSON.
    var json: String {
        let milliseconds = (seconds * 1000).rounded() / 1000
        let digits = String(checksum, radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        return """
            {"variant":"\(variant.rawValue)","seconds":\(milliseconds),"requests":\(requests),"checksum":"\(padded)",\
            "voluntary_switches":\(voluntarySwitches),"involuntary_switches":\(involuntarySwitches)}
            """
    }
}
