import Dispatch
import Glibc

/// A language server reads the requests of an editor from a socket, and answers the last one late.
struct LanguageServer: Scenario {
    static let id = "language-server"
    static let detector = "busy-loop"
    static let summary = """
        An editor closes its side of a socket, and the server's read handler runs again and again with nothing to read.
        """
    static let repair = "The handler cancels its source when a read returns no byte."

    let label: String
    let requests: Int
    let indexing: Duration

    init(_ variation: inout Variation) {
        label = variation.label("requests")
        requests = variation.count("requests", 3...12)
        indexing = variation.duration("indexing", .milliseconds(500)...(.milliseconds(900)))
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        var ends: [Int32] = [0, 0]
        precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0, "Cannot make a socket.")
        let (server, editor) = (ends[0], ends[1])
        let source = DispatchSource.makeReadSource(fileDescriptor: server, queue: DispatchQueue(label: label))
        source.setEventHandler {
            var request = [UInt8](repeating: 0, count: 256)
            let count = read(server, &request, request.count)
            if count > 0 { Work.compute(for: .microseconds(100)) }
            if count == 0, repaired { source.cancel() }
        }
        source.activate()
        for _ in 0..<requests {
            var request: UInt8 = 1
            _ = write(editor, &request, 1)
            usleep(5_000)
        }
        shutdown(editor, Int32(SHUT_WR))
        // The index for the last request is made elsewhere. The connection stays open for the answer.
        Work.block(for: indexing)
        var answer: UInt8 = 2
        _ = write(server, &answer, 1)
        source.cancel()
    }
}
