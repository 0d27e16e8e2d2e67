import Glibc

// Standard output has one line of JSON and nothing else.

func explain(_ sentence: String) {
    var text = "NewsService: \(sentence)\n"
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

if CommandLine.arguments.contains("--help") || CommandLine.arguments.contains("-h") {
    print(Options.usage)
    exit(0)
}

do {
    let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
    // A client that disconnects early must not end the server.
    signal(SIGPIPE, SIG_IGN)
    let outcome = try NewsService(options: options).run()
    print(outcome.json)
} catch let error as Options.UsageError {
    explain("\(error.message)\n\(Options.usage)")
    exit(64)
} catch {
    explain("\(error)")
    exit(1)
}
