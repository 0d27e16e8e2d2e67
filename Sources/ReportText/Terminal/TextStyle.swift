/// The width, colours and amount of detail of a text report.
public struct TextStyle: Sendable {
    /// The amount of detail.
    public enum Detail: Sendable {
        /// The verdict, the findings in a few lines, and the most important queues.
        case brief
        /// All findings with evidence, and the most important rows.
        case standard
        /// Every row, all evidence and whole stacks, without grouping.
        case everything

        /// The largest number of rows of a list whose limit is `standard`.
        package func limit(_ standard: Int, brief: Int? = nil) -> Int {
            switch self {
            case .brief: brief ?? standard
            case .standard: standard
            case .everything: .max
            }
        }
    }

    /// Number of columns of the terminal; a value below 60 counts as 60.
    public var width: Int
    /// Whether ANSI colours are written.
    public var inColor: Bool
    public var detail: Detail
    /// The links from `file:line` to the source; nil for none.
    public var links: LinkStyle?

    /// - Parameters:
    ///   - width: number of columns of the terminal; a value below 60 counts as 60.
    ///   - inColor: whether ANSI colours are written.
    ///   - detail: the amount of detail.
    ///   - links: the links from `file:line` to the source; nil for none.
    public init(width: Int = 100, inColor: Bool = false, detail: Detail = .standard, links: LinkStyle? = nil) {
        self.width = width
        self.inColor = inColor
        self.detail = detail
        self.links = links
    }
}
