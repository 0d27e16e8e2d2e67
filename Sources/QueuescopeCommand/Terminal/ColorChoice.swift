import ArgumentParser
import TraceReports

/// When to write ANSI colours.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    /// On a terminal that can show them, unless `NO_COLOR` is set.
    case auto
    case always, never

    func isOn(for destination: ReportDestination) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: destination.isTerminal && Terminal.wantsColor
        }
    }

    /// How a text for this destination is laid out.
    func style(for destination: ReportDestination, detail: TextStyle.Detail = .standard) -> TextStyle {
        TextStyle(width: destination.width, inColor: isOn(for: destination), detail: detail)
    }
}
