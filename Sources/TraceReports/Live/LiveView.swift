import DispatchModel
import ReportText

/// The state of a live view: what is shown, and how. It has no terminal and no clock: readings and keys change it, and
/// ``frame(columns:rows:inColor:)`` draws it.
public struct LiveView: Sendable {
    /// The pages of the screen.
    enum Page: Hashable {
        case list, help
        case detail(LiveObject.ID)
    }

    /// Whether the user wants to leave.
    public private(set) var isFinished = false
    /// Whether the shown reading stays until the user continues.
    public private(set) var isPaused = false
    /// A problem of the last reading, escaped; nil for none.
    public private(set) var problem: String?

    private(set) var snapshot: LiveSnapshot?
    private(set) var log = LiveFindingLog()
    private(set) var page = Page.list
    private(set) var order = LiveOrder.lost
    /// The kind of the shown objects; nil for all.
    private(set) var kind: LiveObject.Kind?
    private(set) var filter = ""
    /// Whether keys are added to the filter.
    private(set) var isTyping = false
    private(set) var selected: LiveObject.ID?
    /// The rows of the list, sorted and filtered.
    private(set) var rows: [LiveObject] = []
    /// The rows that a page key moves over.
    private static let pageRows = 10
    /// Longest filter.
    private static let filterLimit = 100

    /// Creates a view without a reading.
    public init() {}

    /// The serial number of the opened queue, whose last items are shown; nil for none.
    public var openedQueue: UInt64? {
        guard case .detail(let id) = page else { return nil }
        return opened(id)?.queueNumber
    }

    /// The object of a page of details; nil when the last reading does not have it.
    func opened(_ id: LiveObject.ID) -> LiveObject? { snapshot?.objects.first { $0.id == id } }

    // MARK: Readings

    /// Shows a reading. A paused view ignores it.
    public mutating func show(_ snapshot: LiveSnapshot) {
        guard !isPaused else { return }
        problem = nil
        self.snapshot = snapshot
        log.note(snapshot)
        arrange()
    }

    /// Shows that a reading failed. The last reading stays visible.
    ///
    /// - Parameter sentence: the problem, in any characters.
    public mutating func show(problem sentence: String) { problem = DisplayText.escaped(sentence) }

    private mutating func arrange() {
        let wanted = filter.lowercased()
        let objects = (snapshot?.objects ?? []).filter { object in
            (kind == nil || object.kind == kind)
                && (wanted.isEmpty || object.name.lowercased().contains(wanted)
                    || object.owner?.lowercased().contains(wanted) == true)
        }
        rows = order.sorted(objects)
        if selected == nil || !rows.contains(where: { $0.id == selected }) { selected = rows.first?.id }
    }

    // MARK: Keys

    /// Reacts to a key.
    public mutating func press(_ key: LiveKey) {
        if isTyping { return type(key) }
        switch (page, key) {
        case (_, .character("q")): isFinished = true
        case (_, .character(" ")): isPaused.toggle()
        case (.help, _): page = .list
        case (_, .character("?")): page = .help
        case (.detail, .escape), (.detail, .enter), (.detail, .left), (.detail, .backspace): page = .list
        case (.detail, .up), (.detail, .character("k")): move(by: -1)
        case (.detail, .down), (.detail, .character("j")): move(by: 1)
        case (.detail, _): break
        default: pressInList(key)
        }
    }

    private mutating func pressInList(_ key: LiveKey) {
        switch key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: move(by: -Self.pageRows)
        case .pageDown: move(by: Self.pageRows)
        case .home, .character("g"): move(by: -rows.count)
        case .end, .character("G"): move(by: rows.count)
        case .enter, .right: if let selected { page = .detail(selected) }
        case .character("s"): order = order.next
        case .tab: kind = kind(after: kind)
        case .character("/"): isTyping = true
        case .escape: filter = ""
        default: return
        }
        arrange()
    }

    private mutating func type(_ key: LiveKey) {
        switch key {
        case .character(let character): if filter.count < Self.filterLimit { filter.append(character) }
        case .backspace: if !filter.isEmpty { filter.removeLast() }
        case .enter: isTyping = false
        case .escape: (filter, isTyping) = ("", false)
        default: return
        }
        arrange()
    }

    private mutating func move(by step: Int) {
        guard !rows.isEmpty else { return }
        let position = rows.firstIndex { $0.id == selected } ?? 0
        selected = rows[min(max(position + step, 0), rows.count - 1)].id
        if case .detail = page, let selected { page = .detail(selected) }
    }

    private func kind(after kind: LiveObject.Kind?) -> LiveObject.Kind? {
        let all = LiveObject.Kind.allCases
        guard let kind, let position = all.firstIndex(of: kind) else { return all.first }
        return position + 1 < all.count ? all[position + 1] : nil
    }

    // MARK: Drawing

    /// Draws the view.
    ///
    /// - Parameters:
    ///   - columns: the width of the terminal.
    ///   - rows: the height of the terminal.
    ///   - inColor: whether ANSI colours are written.
    /// - Returns: exactly `rows` lines of at most `columns` columns. They have no control characters except colours.
    public func frame(columns: Int, rows: Int, inColor: Bool) -> [String] {
        LivePage(view: self, columns: max(columns, 1), rows: max(rows, 1)).lines.map { $0.string(inColor: inColor) }
    }

    /// Draws everything as a text, for output that is no terminal.
    ///
    /// - Parameters:
    ///   - columns: the width of the lines.
    ///   - inColor: whether ANSI colours are written.
    /// - Returns: whole lines.
    public func text(columns: Int, inColor: Bool) -> String {
        LivePage(view: self, columns: columns, rows: .max).allLines.map { $0.string(inColor: inColor) + "\n" }.joined()
    }
}
