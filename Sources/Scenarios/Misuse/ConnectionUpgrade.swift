import Dispatch

/// A server moves a connection to another queue.
struct ConnectionUpgrade: Scenario {
    static let id = "connection-upgrade"
    static let detector = "retarget-after-activation"
    static let gain = Gain.findings
    static let summary = "A server moves an active connection's source to another queue with `setTarget`."
    static let repair = "It cancels the source and creates another one on the new queue."

    let label: String
    let messages: Int

    init(_ variation: inout Variation) {
        label = variation.label("connection")
        messages = variation.count("messages", 3...20)
    }

    func run(repaired: Bool) {
        let plain = DispatchQueue(label: "\(label).plain")
        let upgraded = DispatchQueue(label: "\(label).upgraded")
        let connection = MessagePipe()
        let received = DispatchGroup()
        var source = open(connection, on: plain, received)
        exchange(connection, received)
        if repaired {
            source.cancel()
            plain.sync {}
            source = open(connection, on: upgraded, received)
        } else {
            (source as? DispatchSource)?.setTarget(queue: upgraded)
        }
        exchange(connection, received)
        source.cancel()
    }

    private func open(
        _ connection: MessagePipe, on queue: DispatchQueue, _ received: DispatchGroup
    ) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: connection.input, queue: queue)
        source.setEventHandler { if connection.receive() { received.leave() } }
        source.activate()
        return source
    }

    private func exchange(_ connection: MessagePipe, _ received: DispatchGroup) {
        for _ in 0..<messages {
            received.enter()
            connection.send()
        }
        received.wait()
    }
}
