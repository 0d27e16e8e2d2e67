/// How a text for a person is laid out.
public struct TextStyle: Sendable {
    /// How much to say.
    public enum Detail: Sendable {
        /// The verdict, findings in a few lines, and the queues that matter.
        case brief
        /// All findings, with the proof and the rows that matter.
        case standard
        /// Every row, all evidence, whole stacks; nothing put together.
        case everything

        /// How many rows to show of a list: `standard` of them, all with everything.
        func limit(_ standard: Int, brief: Int? = nil) -> Int {
            switch self {
            case .brief: brief ?? standard
            case .standard: standard
            case .everything: .max
            }
        }
    }

    /// Columns of the terminal; less than 60 counts as 60.
    public var width: Int
    /// Write ANSI colours.
    public var inColor: Bool
    public var detail: Detail

    /// - Parameters:
    ///   - width: columns of the terminal; less than 60 counts as 60.
    ///   - inColor: write ANSI colours.
    ///   - detail: how much to say.
    public init(width: Int = 100, inColor: Bool = false, detail: Detail = .standard) {
        self.width = width
        self.inColor = inColor
        self.detail = detail
    }
}
