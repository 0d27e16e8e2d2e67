import Foundation
import TestSupport
import Testing

/// The completion scripts in real shells: the words that the shells offer for a part of a command line.
@Suite("Completions")
struct CompletionTests {
    enum Shell: String, CaseIterable, CustomTestStringConvertible {
        case bash, zsh, fish

        var testDescription: String { rawValue }
    }

    /// The folder in which the words are completed.
    private let directory = TemporaryDirectory()

    init() throws {
        for folder in ["before.ctf", "services"] {
            try FileManager.default.createDirectory(
                atPath: directory.appending(folder), withIntermediateDirectories: false)
        }
        for file in ["packed.tgz", "other.txt", "services/news"] {
            try #require(
                FileManager.default.createFile(
                    atPath: directory.appending(file), contents: nil, attributes: [.posixPermissions: 0o755]))
        }
    }

    /// The words that a shell offers for the last word of a command line.
    private func words(_ line: String, in shell: Shell) throws -> Set<String> {
        let script = directory.appending(".completions")
        let generated = try Program.queuescope.run(["--generate-completion-script", shell.rawValue])
        #expect(generated.status == 0 && !generated.output.contains("program of record"))
        try generated.output.write(toFile: script, atomically: false, encoding: .utf8)
        let driver: String
        switch shell {
        case .bash:
            driver = """
                cd "$1"; source .completions
                COMP_LINE=$2; COMP_POINT=${#2}; read -ra COMP_WORDS <<<"$2"
                [[ $2 == *' ' ]] && COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _queuescope queuescope "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
        case .zsh:
            // An interactive shell in a pseudo-terminal. Tab lists the words without changing the line, and Ctrl-G
            // prints the mark at which the output ends. The quotes keep the echo of the commands from looking like a
            // mark.
            driver = """
                zmodload zsh/zpty; zpty shell zsh -f -i
                expect() {
                    local text
                    while zpty -r shell text; do print -rn -- "$text"; [[ $text == *$1* ]] && break; done
                }
                zpty -w shell 'PS1= PS2= RPS1=; unset zle_bracketed_paste; LISTMAX=9999; COLUMNS=1000'
                zpty -w shell 'autoload -Uz compinit; compinit -u -D; cd '${(q)1}'; source ./.completions'
                zpty -w shell 'list() { compstate[insert]=; compstate[list]="list force" }; comppostfuncs=(list)'
                zpty -w shell 'finish() { zle -I; print -r -- the-"end" }; zle -N finish; bindkey "^G" finish'
                zpty -w shell 'bindkey "^I" complete-word; print -r -- the-"begin"'
                expect the-begin >/dev/null
                zpty -w -n shell "$2"$'\\t\\x07'
                expect the-end
                """
        case .fish:
            // Only a fish with a terminal knows the position of the cursor, which is the end of the word here.
            driver = """
                cd $argv[1]; source .completions
                function commandline
                    if contains -- -tC $argv
                        builtin commandline -t | string length
                    else
                        builtin commandline $argv
                    end
                end
                complete -C $argv[2] | string replace -r '\\t.*' ''
                """
        }
        let arguments = shell == .fish ? ["-c", driver] : ["-c", driver, shell.rawValue]
        let bin = URL(fileURLWithPath: Program.queuescope.path).deletingLastPathComponent().path
        let path = "\(bin):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let result = try #require(Program.installed(shell.rawValue)).run(
            arguments + [directory.path, line], environment: ["PATH": path, "TERM": "dumb"])
        return Set(result.output.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Expects these words, and none of the others.
    private func expect(
        _ offered: Set<String>, not others: Set<String> = [], for line: String, in shell: Shell,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard Program.canRun(shell.rawValue) else { return }
        // Shells mark folders with a slash and programs with an asterisk, or not.
        let found = try words("queuescope " + line, in: shell)
        let words = Set(found.map { "/*".contains($0.last ?? " ") ? String($0.dropLast()) : $0 })
        let comment: Comment = "\(shell) \(line): \(words.sorted())"
        #expect(offered.subtracting(words).isEmpty, comment, sourceLocation: sourceLocation)
        #expect(words.isDisjoint(with: others), comment, sourceLocation: sourceLocation)
    }

    @Test("Commands and detectors", arguments: Shell.allCases)
    func detectors(shell: Shell) throws {
        try expect(["record", "report"], not: ["timeline"], for: "re", in: shell)
        let locks: Set = ["lock-contention", "lock-order-inversion"]
        try expect(locks, not: ["deadlock"], for: "explain lock-", in: shell)
        try expect(locks, not: ["deadlock"], for: "report before.ctf --why lock-", in: shell)
        try expect(locks, not: ["warning"], for: "check before.ctf --fail-on lock-", in: shell)
        try expect(["warning"], for: "check before.ctf --fail-on warn", in: shell)
        let threshold: Set = ["staircase-contention.steps=4"]
        try expect(threshold, for: "report before.ctf --threshold staircase-contention.s", in: shell)
        try expect(["vscode"], not: ["file"], for: "report before.ctf --links v", in: shell)
    }

    @Test("Scenarios", arguments: Shell.allCases)
    func scenarios(shell: Shell) throws {
        try expect(["image-cache", "image-pipeline"], not: ["log-writer"], for: "scenario image-", in: shell)
    }

    @Test("Traces: folders and packed traces", arguments: Shell.allCases)
    func traces(shell: Shell) throws {
        for command in ["report ", "check ", "diff ", "diff before.ctf ", "timeline ", "export ", "events ", "names "] {
            try expect(["before.ctf", "packed.tgz"], not: ["other.txt"], for: command, in: shell)
        }
    }

    @Test("The program behind record --, and files as its arguments", arguments: Shell.allCases)
    func program(shell: Shell) throws {
        try expect(["--"], not: ["mkdir", "other.txt"], for: "record ", in: shell)
        try expect(["mkdir", "mkfifo"], not: ["mv"], for: "record -o new -- mk", in: shell)
        // zsh lists files without their folder.
        try expect([shell == .zsh ? "news" : "services/news"], for: "record -- services/n", in: shell)
        try expect(["other.txt"], for: "record --mode flight -- cat o", in: shell)
        try expect(["stream", "flight"], for: "record --mode ", in: shell)
    }

    @Test("The name of a file is never run as a command")
    func hostileNames() throws {
        let name = "x$(touch ran)`touch ran`"
        try #require(FileManager.default.createFile(atPath: directory.appending(name), contents: nil))
        try #require(FileManager.default.createFile(atPath: directory.appending(name + ".tgz"), contents: nil))
        for shell in Shell.allCases where Program.installed(shell.rawValue) != nil {
            for line in ["queuescope record -- cat x", "queuescope report x"] { _ = try words(line, in: shell) }
        }
        #expect(!FileManager.default.fileExists(atPath: directory.appending("ran")))
    }
}
