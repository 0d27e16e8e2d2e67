import FoundationEssentials

/// What the argument parser says about a command, in the form of its `--experimental-dump-help`: only what a manual
/// page shows.
struct CommandDescription: Decodable {
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable {
            enum Kind: String, Decodable {
                case long, short, longWithSingleDash
            }

            let kind: Kind
            let name: String

            /// As it is typed.
            var text: String { (kind == .long ? "--" : "-") + name }
        }

        let kind: Kind
        let shouldDisplay: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let abstract: String?
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let subcommands: [CommandDescription]?
    let arguments: [Argument]?

    /// Reads the parser's JSON.
    init(json: String) throws {
        struct Tool: Decodable {
            let command: CommandDescription
        }
        self = try JSONDecoder().decode(Tool.self, from: Data(json.utf8)).command
    }
}
