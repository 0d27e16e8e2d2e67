/// The command line.
struct Options: Sendable {
    var variant = Variant.before
    /// The number of clients that are connected at the same time.
    var connections = 32
    /// The number of requests of each connection.
    var requests = 320

    static let usage = """
        usage: NewsService --variant before|after [--connections N] [--requests N]

        Runs a news server and its clients on the loopback interface, and prints one line of JSON.

          --variant      the service before its fix, or after it (default: before)
          --connections  clients connected at the same time, 1 to 512 (default: 32)
          --requests     requests of each client, 1 or more (default: 320)
        """

    /// An error in the command line, as a sentence.
    struct UsageError: Error {
        let message: String
    }

    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError(message: "\(option) needs a value.") }
            switch option {
            case "--variant":
                guard let variant = Variant(rawValue: value) else {
                    throw UsageError(message: "There is no variant \(value); name before or after.")
                }
                self.variant = variant
            case "--connections": connections = try Self.number(value, of: option, in: 1...512)
            case "--requests": requests = try Self.number(value, of: option, in: 1...1_000_000)
            default: throw UsageError(message: "There is no option \(option).")
            }
        }
    }

    private static func number(
        _ text: String, of option: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(message: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
