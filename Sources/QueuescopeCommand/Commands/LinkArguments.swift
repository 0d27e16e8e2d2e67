import ArgumentParser
import FoundationEssentials
import NameSuggestions
import ReportText

/// The links from `file:line` to the source.
struct LinkArguments: ParsableArguments {
    /// The choice of the user.
    enum Choice: Equatable {
        /// ``LinkFormat/file`` on a terminal.
        case auto
        case off
        case format(LinkFormat)

        static let names = ["auto", "none"] + LinkFormat.named.map { $0.key }

        /// - Throws: `ValidationError` with the valid values.
        init(_ text: String) throws {
            if text == "auto" {
                self = .auto
            } else if text == "none" {
                self = .off
            } else if let format = LinkFormat.named.first(where: { $0.key == text })?.value {
                self = .format(format)
            } else if text.contains("{") || text.contains(":") {
                do throws(LinkFormat.Failure) { self = .format(try LinkFormat(template: text)) } catch {
                    throw ValidationError("\(error).")
                }
            } else {
                let names = Self.names.joined(separator: ", ")
                throw ValidationError(
                    "'\(text)' is no kind of link\(NameSuggestion(for: text, among: Self.names).question) "
                        + "Give one of \(names), or a template such as vscode://file/{path}:{line}.")
            }
        }
    }

    static let variable = "QUEUESCOPE_LINKS"

    @Option(
        help: ArgumentHelp(
            """
            Make file:line a link to the source: file, vscode, or a template such as 'vscode://file/{path}:{line}' \
            (also: \(LinkArguments.variable)). auto is file on a terminal, and none in a page.
            """,
            valueName: "auto|none|file|vscode|template"),
        completion: .list(Choice.names),
        transform: { try Choice($0) })
    var links: Choice?

    /// The choice of the option, otherwise of the environment.
    ///
    /// - Throws: ``CommandFailure`` for an invalid value of the variable.
    private func choice() throws -> Choice {
        if let links { return links }
        guard let text = ProcessInfo.processInfo.environment[Self.variable], !text.isEmpty else { return .auto }
        do {
            return try Choice(text)
        } catch let error as ValidationError {
            throw CommandFailure(.usage, "\(Self.variable): \(error.message)")
        }
    }

    /// The links of a text; nil when it is not for a terminal, or when the terminal has no links.
    ///
    /// - Parameters:
    ///   - destination: the destination of the text.
    ///   - sources: the files of the project; nil when unknown.
    /// - Throws: ``CommandFailure`` for an invalid value of the variable.
    func style(for destination: ReportDestination, sources: SourceTree? = nil) throws -> LinkStyle? {
        let choice = try choice()
        guard destination.isTerminal, !Terminal.isDumb else { return nil }
        return switch choice {
        case .off: nil
        case .auto: Terminal.isConsole ? nil : LinkStyle(.file, sources: sources)
        case .format(let format): LinkStyle(format, sources: sources)
        }
    }

    /// The links of a page; nil unless the user chose a format, because the paths of the sources get into the page.
    ///
    /// - Parameter sources: the files of the project; nil when unknown.
    /// - Throws: ``CommandFailure`` for an invalid value of the variable.
    func styleOfPage(sources: SourceTree?) throws -> LinkStyle? {
        if case .format(let format) = try choice() { LinkStyle(format, sources: sources) } else { nil }
    }
}
