import FoundationEssentials

/// The argument parser's description of a command, decoded from its `--experimental-dump-help`. Has only the parts that
/// the manual page shows.
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

            /// The name as it is typed.
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
