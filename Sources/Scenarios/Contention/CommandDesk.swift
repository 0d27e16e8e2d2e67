import Dispatch
import Glibc

/// A control service reads a client's commands, and sends heartbeats.
struct CommandDesk: Scenario {
    static let id = "command-desk"
    static let detector = "blocked-serial-queue"
    static let gain = Gain.longestWait
    static let summary = """
        A service reads a command with blocking calls on the queue of its heartbeat timer, and the client sends the \
        command in two parts.
        """
    static let repair = "The descriptor is non-blocking, and the handler returns until the next part arrives."
    static let exemptions = [
        Exemption(.lostTwenty, because: "the only record of the system call can be lost")
    ]

    let label: String
    let interval: Int
    let pause: Int
    let requests: Int

    init(_ variation: inout Variation) {
        label = variation.label("desk")
        interval = variation.count("interval in ms", 15...30)
        pause = variation.count("time between the parts in ms", 300...400)
        requests = variation.count("status requests", 1...5)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
        let (server, client) = (ends[0], ends[1])
        if repaired { _ = fcntl(server, F_SETFL, O_NONBLOCK) }
        let queue = DispatchQueue(label: label)
        let heartbeat = DispatchSource.makeTimerSource(queue: queue)
        heartbeat.schedule(
            deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval), leeway: .milliseconds(1))
        heartbeat.setEventHandler { Work.compute(for: .microseconds(50)) }
        heartbeat.activate()
        let desk = Desk(server, on: queue)
        desk.source.setEventHandler { desk.receive() }
        desk.source.activate()

        let answered = DispatchGroup()
        _ = write(client, "tune ", 5)
        Work.block(for: .milliseconds(pause / 4))
        for _ in 0..<requests { queue.async(group: answered) { Work.compute(for: .microseconds(50)) } }
        Work.block(for: .milliseconds(pause - pause / 4))
        _ = write(client, "to channel\n", 11)
        answered.wait()
        desk.commands.wait()
        heartbeat.cancel()
        queue.sync {}
    }

    private final class Desk: @unchecked Sendable {
        let source: any DispatchSourceRead
        let commands = DispatchSemaphore(value: 0)
        // On the queue of the source.
        private var command = [UInt8](repeating: 0, count: 16)
        private var have = 0

        init(_ descriptor: Int32, on queue: DispatchQueue) {
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        }

        /// Reads a command: until it is complete, or until a non-blocking descriptor has no more data.
        @inline(never)
        func receive() {
            while have < command.count {
                let count = command.withUnsafeMutableBytes { bytes in
                    read(Int32(source.handle), bytes.baseAddress! + have, bytes.count - have)
                }
                guard count > 0 else { return }
                have += count
            }
            source.cancel()
            commands.signal()
        }
    }
}
