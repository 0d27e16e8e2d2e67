import ArgumentParser
import CMemory
import CTFReader
import DispatchModel
import Glibc
import NameSuggestions
import TraceExports

/// The `queuescope` executable: parses arguments, sets exit codes, and prints an error as one sentence on standard
/// error.
@main
enum EntryPoint {
    static func main() {
        StandardOutput.reserveDescriptors()
        qs_keep_freed_memory()
        do {
            if try writeCompletionScript() { return }
            try requireCommand()
            var command = try QueuescopeCommand.parseAsRoot()
            try requireText(for: command)
            try command.run()
        } catch let failure as CommandFailure {
            fail(failure.sentence, failure.exitCode)
        } catch let error as TemporaryFileError {
            fail(error.description, .cannotCreate)
        } catch let error as TraceWindowError {
            fail(error.description, .usage)
        } catch let error as CTFError {
            fail("cannot read the trace: \(error)", .unreadableTrace)
        } catch let error as DispatchTraceError {
            let isUsage = error.code == .severalProcesses || error.code == .noSuchProcess
            fail(error.description, isUsage ? .usage : .unreadableTrace)
        } catch {
            end(with: error)
        }
    }

    /// Writes the completion script of a shell if the first argument asks for it.
    private static func writeCompletionScript() throws -> Bool {
        let option = "--generate-completion-script"
        let words = CommandLine.arguments.dropFirst()
        guard let first = words.first, first == option || first.hasPrefix(option + "=") else { return false }
        let name = first == option ? words.dropFirst().first : String(first.dropFirst(option.count + 1))
        // The parser reports an unknown shell.
        guard let shell = name.map({ CompletionShell(rawValue: $0) }) ?? .autodetected() else { return false }
        try StandardOutput.write(CompletionScript.text(for: shell) + "\n")
        return true
    }

    /// Rejects an unknown command with a list of the commands. The argument parser reports an unexpected argument only.
    private static func requireCommand() throws {
        let commands = QueuescopeCommand.configuration.subcommands.map { $0.configuration }
        let names = commands.filter(\.shouldDisplay).compactMap(\.commandName)
        let words = CommandLine.arguments.dropFirst().drop { $0 == "help" }
        guard let word = words.first, !word.hasPrefix("-"),
            !commands.contains(where: { $0.commandName == word })
        else { return }
        throw CommandFailure(
            .usage,
            "there is no command \(Terminal.quoted(word))\(NameSuggestion(for: word, among: names).question) "
                + "The commands are \(names.joined(separator: ", ")).")
    }

    /// Ends as `exit(withError:)` does. Also adds similar values to the message about an invalid value, and reports
    /// help text that cannot be written.
    private static func end(with error: any Error) -> Never {
        let text = QueuescopeCommand.fullMessage(for: error)
        let code = QueuescopeCommand.exitCode(for: error)
        guard code.isSuccess, !text.isEmpty else {
            if !text.isEmpty { StandardError.draw(withSimilarValues(text) + "\n") }
            exit(code.rawValue)
        }
        do {
            try StandardOutput.write(text + "\n")
            exit(EXIT_SUCCESS)
        } catch let failure as CommandFailure {
            fail(failure.sentence, failure.exitCode)
        } catch {
            QueuescopeCommand.exit(withError: error)
        }
    }

    /// The parser's message `The value 'jsn' is invalid for '--format <format>'. Please provide one of 'text', 'json'
    /// …` with similar values. A longer list has one value on each line. Other messages are not changed.
    private static func withSimilarValues(_ message: String) -> String {
        let invalid = #/The value '(?<value>[^'\n]*)' is invalid for '[^'\n]*'(?<stop>\.) Please provide one of /#
        guard let match = message.firstMatch(of: invalid) else { return message }
        let rest = message[match.range.upperBound...]
        let end = ["\nHelp:", "\nUsage:"].compactMap { rest.firstRange(of: $0)?.lowerBound }.min() ?? rest.endIndex
        let names = rest[..<end].matches(of: #/'([^'\n]+)'|\n *- ([^\n]+)/#)
        let known = names.compactMap { $0.1 ?? $0.2 }.map(String.init)
        let question = NameSuggestion(for: String(match.value), among: known).question
        return message[..<match.stop.startIndex] + question + message[match.stop.endIndex...]
    }

    /// Rejects arguments that are not UTF-8, because as strings they would name other files. The arguments of the
    /// recorded program are passed on byte for byte.
    private static func requireText(for command: any ParsableCommand) throws {
        let passedOn = (command as? RecordCommand)?.command.count ?? 0
        for (position, argument) in CommandLine.arguments.dropLast(passedOn).enumerated() {
            guard let bytes = CommandLine.unsafeArgv[position], String(validatingCString: bytes) == nil, position > 0
            else { continue }
            throw CommandFailure(
                .usage,
                "argument \(position), \(Terminal.quoted(argument)), is not UTF-8. Give the file another name, or "
                    + "use a symbolic link to it")
        }
    }

    private static func fail(_ sentence: String, _ code: CommandFailure.Code) -> Never {
        let isSentence = sentence.hasSuffix(".") || sentence.hasSuffix("!")
        StandardError.write("queuescope: \(sentence)\(isSentence ? "" : ".")\n")
        exit(code.rawValue)
    }
}
