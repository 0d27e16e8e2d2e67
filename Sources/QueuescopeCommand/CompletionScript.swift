import ArgumentParser

/// The completion scripts of the shells.
///
/// The argument parser generates them. The program behind `record --` is completed by the shell's own completion of
/// commands: bash would expand file names that the parser's completion passes to `compgen -W`, and zsh would add a
/// space after a folder.
enum CompletionScript {
    /// Stands for the completion of the program behind `record --`.
    static let program = CompletionKind.shellCommand("program of record")

    /// The script for a shell.
    static func text(for shell: CompletionShell) -> String {
        let script = QueuescopeCommand.completionScript(for: shell)
        return switch shell {
        case .bash: script.replacing(#"__queuescope_add_completions -W "$(eval 'program of record')""#, with: bash)
        case .zsh:
            script.replacing(
                #"*:command:{local -a list;list=(${(f)"$(program of record)"});_describe -V "" list}"#, with: zsh)
        case .fish: script.replacing("-fka '(program of record)'", with: fish.action) + fish.function
        default: script
        }
    }

    private static let bash = """
        if [[ " ${COMP_WORDS[*]::COMP_CWORD} " != *' -- '* ]]; then
                __queuescope_add_completions -W --
            elif [[ "${positional_number}" -eq 1 && "${cur}" != */* ]]; then
                __queuescope_add_completions -A command -A directory
            else
                __queuescope_add_completions -f
            fi
        """

    /// `_normal` completes a command line, which begins at the program.
    private static let zsh = "*::program:{ if (( ${command_line[(I)--]} )); then _normal; else compadd -- --; fi }"

    private static let fish = (
        action: "-fka '(__queuescope_program)'",
        function: """

        function __queuescope_program
            set -l words (commandline -opc)
            set -l end (contains -i -- -- $words)
            or begin
                printf '%s\\n' --
                return
            end
            set -l program (string escape -- $words[(math $end + 1)..])
            complete -C (string join ' ' -- $program (commandline -ct))
        end
        """
    )
}

extension CompletionKind {
    /// A trace directory, or a packed trace.
    static var trace: CompletionKind { .file(extensions: ["tgz"]) }
}
