// A service in small, for Tools/simulate-day: queues and actors that live for microseconds, items on queues that live
// as long as the program, and tasks. It prints its process id, and then obeys the lines of its standard input:
//
//   work QUEUES ACTORS ITEMS   does this number of operations at full speed, then prints the totals
//   pace QUEUES ACTORS ITEMS   does this number of operations a second from now on
//   signal NAME MICROSECONDS   sends itself SEGV or ABRT on a worker thread after this time, while it continues
//   exhaust                    writes into more and more memory, while it continues
//   end
//
// Usage: SimulatedDay [PROGRESS]   PROGRESS: a file for the wall-clock time of the last finished operation, in
//                                  nanoseconds, so that it outlives the process

import Dispatch
import Glibc

actor Visitor {
    private var visits = 0

    func visit() -> Int {
        visits += 1
        return visits
    }
}

struct Operations {
    var queues = 0
    var actors = 0
    var items = 0

    init() {}

    /// Parses the numbers of a command.
    init(_ words: ArraySlice<Substring>) {
        let numbers = words.map { Int($0) ?? 0 } + [0, 0, 0]
        (queues, actors, items) = (numbers[0], numbers[1], numbers[2])
    }

    /// The part number `index` of `count` parts. All parts together have the same number of operations.
    func part(_ index: Int, of count: Int) -> Operations {
        func share(_ number: Int) -> Int { number * (index + 1) / count - number * index / count }
        var part = Operations()
        (part.queues, part.actors, part.items) = (share(queues), share(actors), share(items))
        return part
    }

    static func += (sum: inout Operations, other: Operations) {
        sum.queues += other.queues
        sum.actors += other.actors
        sum.items += other.items
    }
}

/// A thread of the service: its operations come one after the other.
final class Lane: Sendable {
    private static let itemsPerAsync = 8
    private static let itemsPerTask = 256
    private static let labels = 1 << 12

    private let store = DispatchQueue(label: "day.store")
    private let log = DispatchQueue(label: "day.log")
    private let counter = Visitor()

    /// Mixes the operations: a round has an equal share of each kind.
    @concurrent
    func run(_ operations: Operations) async {
        let rounds = max(1, max(operations.queues, operations.actors, operations.items / 64))
        for round in 0..<rounds {
            let part = operations.part(round, of: rounds)
            for index in 0..<part.queues { handle(request: round &+ index) }
            for _ in 0..<part.actors { _ = await Visitor().visit() }
            await write(part.items, from: round)
        }
        log.sync {}
    }

    /// A queue for one request. Its label repeats after some thousand requests, as the routes of a service do.
    private func handle(request: Int) {
        DispatchQueue(label: "day.request.\(request % Self.labels)").sync {}
    }

    private func write(_ items: Int, from round: Int) async {
        for index in 0..<items {
            let number = round &* items &+ index
            if number % Self.itemsPerTask == 0 {
                _ = await Task { await counter.visit() }.value
                log.sync {}  // bounds the number of waiting items
            } else if number % Self.itemsPerAsync == 0 {
                log.async {}
            } else {
                store.sync {}
            }
        }
    }
}

@main
struct SimulatedDay {
    private static let lanes = [Lane(), Lane()]
    private static let ticksPerSecond = 100

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    static func main() {
        write("pid \(getpid())")
        let progress = sharedNumber(CommandLine.arguments.dropFirst().first)
        var (done, pace) = (Operations(), Operations?.none)
        var tick = 0
        while true {
            let begin = now
            if let pace {
                let part = pace.part(tick % ticksPerSecond, of: ticksPerSecond)
                run(part)
                done += part
                progress?.pointee = now
                tick += 1
            }
            let left = begin + 1_000_000_000 / Int64(ticksPerSecond) - now
            guard pace == nil || hasInput(within: Int32(max(0, left / 1_000_000))) else { continue }
            let words = readCommand().split(separator: " ")
            switch words.first {
            case "work":
                pace = nil
                let operations = Operations(words.dropFirst())
                run(operations)
                done += operations
                write("done \(done.queues) \(done.actors) \(done.items)")
            case "pace": pace = Operations(words.dropFirst())
            case "signal": signal(words[1] == "SEGV" ? SIGSEGV : SIGABRT, after: Int(words[2]) ?? 0)
            case "exhaust": exhaust()
            default: return
            }
        }
    }

    /// Runs on all lanes, and returns when all have finished.
    private static func run(_ operations: Operations) {
        let group = DispatchGroup()
        for (index, lane) in lanes.enumerated() {
            group.enter()
            Task {
                await lane.run(operations.part(index, of: lanes.count))
                group.leave()
            }
        }
        group.wait()
    }

    private static func write(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// A line of the standard input, without a buffer, so that `poll` sees the next line. Empty at the end.
    private static func readCommand() -> String {
        var (line, byte): ([UInt8], UInt8) = ([], 0)
        while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    private static func hasInput(within milliseconds: Int32) -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, milliseconds) > 0
    }

    /// A number in a file that is shared with other processes. Nil without a file.
    private static func sharedNumber(_ path: String?) -> UnsafeMutablePointer<Int64>? {
        guard let path else { return nil }
        let bytes = MemoryLayout<Int64>.size
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        guard file >= 0, ftruncate(file, off_t(bytes)) == 0 else { fatalError("cannot write \(path)") }
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        return memory?.assumingMemoryBound(to: Int64.self)
    }

    private static func signal(_ number: Int32, after microseconds: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            if number == SIGABRT { abort() }
            UnsafeMutablePointer<Int>(bitPattern: MemoryLayout<Int>.alignment)?.pointee = 1
        }
    }

    /// Takes memory until the system ends the process.
    private static func exhaust() {
        let piece = 1 << 20
        DispatchQueue.global().async {
            while true {
                // The compiler would remove a write to memory of malloc that nothing reads.
                let memory = mmap(nil, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                guard let memory, memory != MAP_FAILED else { return }
                memset(memory, 1, piece)
            }
        }
    }
}
