import ArgumentParser
import Foundation

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
}
