import ArgumentParser
import CMemory
import CTFReader
import DispatchModel
import Glibc
import NameSuggestions
import TraceReports

/// The `queuescope` executable: parses arguments, sets exit codes, and prints an error as one sentence on standard
/// error.
@main
enum EntryPoint {
    static func main() {
        StandardOutput.reserveDescriptors()
        qs_keep_freed_memory()
        do {
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

    /// Rejects an unknown command with a list of the commands. The argument parser reports an unexpected argument only.
    private static func requireCommand() throws {
        let commands = QueuescopeCommand.configuration.subcommands.map { $0.configuration }
        let names = commands.filter(\.shouldDisplay).compactMap(\.commandName)
        guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), word != "help",
            !commands.contains(where: { $0.commandName == word })
        else { return }
        throw CommandFailure(
            .usage,
            "there is no command \(Terminal.quoted(word))\(NameSuggestion(for: word, among: names).question) "
                + "The commands are \(names.joined(separator: ", ")).")
    }

    /// Ends as `exit(withError:)` does, and also reports help text that cannot be written.
    private static func end(with error: any Error) -> Never {
        let text = QueuescopeCommand.fullMessage(for: error)
        guard QueuescopeCommand.exitCode(for: error).isSuccess, !text.isEmpty else {
            QueuescopeCommand.exit(withError: error)
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
