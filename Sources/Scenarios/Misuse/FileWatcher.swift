import Dispatch

/// A service watches a file for changes.
struct FileWatcher: Scenario {
    static let id = "file-watcher"
    static let detector = "mutation-after-activation"
    static let gain = Gain.findings
    static let summary = "A watcher activates its source before it sets the handlers."
    static let repair = "It sets the handlers before it activates the source."

    let label: String
    let changes: Int
    /// 0 event, 1 cancel, 2 registration handler.
    let handler: Int

    init(_ variation: inout Variation) {
        label = variation.label("watcher")
        changes = variation.count("changes", 3...20)
        handler = variation.count("handler", 0...2)
    }

    func run(repaired: Bool) {
        let queue = DispatchQueue(label: label)
        let file = MessagePipe()
        let seen = DispatchGroup()
        let source = DispatchSource.makeReadSource(fileDescriptor: file.input, queue: queue)
        if handler != 0 { source.setEventHandler { if file.receive() { seen.leave() } } }
        if !repaired { source.activate() }
        switch handler {
        case 0: source.setEventHandler { if file.receive() { seen.leave() } }
        case 1: source.setCancelHandler { Work.compute(for: .microseconds(20)) }
        default: source.setRegistrationHandler { Work.compute(for: .microseconds(20)) }
        }
        if repaired { source.activate() }
        for _ in 0..<changes {
            seen.enter()
            file.send()
        }
        seen.wait()
        source.cancel()
        queue.sync {}
    }
}
