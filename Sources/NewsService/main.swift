import Foundation

// Standard output carries one line of JSON and nothing else.

if CommandLine.arguments.contains("--help") || CommandLine.arguments.contains("-h") {
    print(Options.usage)
    exit(0)
}

do {
    let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
    // A client that closes early must not end the server.
    signal(SIGPIPE, SIG_IGN)
    let outcome = try NewsService(options: options).run()
    print(outcome.json)
} catch let error as Options.UsageError {
    FileHandle.standardError.write(Data("NewsService: \(error.message)\n\(Options.usage)\n".utf8))
    exit(64)
} catch {
    FileHandle.standardError.write(Data("NewsService: \(error)\n".utf8))
    exit(1)
}
