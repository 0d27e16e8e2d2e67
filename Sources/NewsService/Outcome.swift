/// What the program prints: the same checksum in both variants, everything else for comparison.
struct Outcome {
    let variant: Variant
    let seconds: Double
    let requests: Int
    /// Over every byte that the clients received, whatever the order, and over the words that the state counted.
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
