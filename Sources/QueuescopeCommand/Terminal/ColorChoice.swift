import ArgumentParser
import ReportText

/// When ANSI colours are written.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    /// On a terminal with colours, unless `NO_COLOR` is set.
    case auto
    case always, never

    func isOn(for destination: ReportDestination) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: destination.isTerminal && Terminal.wantsColor
        }
    }

    /// The layout of a text for this destination.
    func style(
        for destination: ReportDestination, detail: TextStyle.Detail = .standard, links: LinkStyle? = nil
    ) -> TextStyle {
        TextStyle(width: destination.width, inColor: isOn(for: destination), detail: detail, links: links)
    }
}
