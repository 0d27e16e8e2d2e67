/// Reads the tasks of Swift Concurrency in the memory of a process.
///
/// The offsets are of Swift 6.2 and 6.3. They are used only if the runtime exports the layout version and the size of a
/// task that belong to these versions.
struct ConcurrencyRuntime {
    /// A task at one instant.
    struct Task {
        enum Awaited: Equatable {
            case task(UInt64)
            case continuation
            case group
            case actor(UInt64)
        }

        let address: UInt64
        /// The low half of the task's id.
        let number: UInt32
        /// The function that continues the task, and its context.
        let resume: UInt64
        let context: UInt64
        let parent: UInt64?
        /// The object that the task waits for; nil when it is not suspended, or when it waits for something else.
        let awaited: Awaited?
        let isComplete: Bool
    }

    private enum Layout {
        static let version: UInt32 = 1
        static let taskSize: UInt64 = 208
        static let words = 30
        static let flags: UInt64 = 0x20
        static let number: UInt64 = 0x24
        static let resume: UInt64 = 0x38
        static let context: UInt64 = 0x40
        static let status: UInt64 = 0x60
        static let dependency: UInt64 = 0xA0
        static let parent: UInt64 = 0xD0
        static let isChild: UInt32 = 1 << 24
        static let isComplete: UInt64 = 1 << 13
        /// In the dependency record.
        static let object: UInt64 = 0x10
        static let kind: UInt64 = 0x20
        static let task: UInt64 = 0x28
        /// In a job: the actor whose jobs it runs.
        static let drainKind: UInt8 = 0xC1
        static let drainedActor: UInt64 = 0x40
    }

    /// Most functions of the chain of awaiting functions.
    private static let deepestChain = 32

    private let memory: ProcessMemory
    private let maps: ProcessMaps
    /// The first word of each task; nil without a known runtime.
    let taskClass: UInt64?
    /// Whether the process has the runtime.
    let isPresent: Bool

    var isKnown: Bool { taskClass != nil }

    init(_ symbols: RuntimeSymbols, memory: ProcessMemory, maps: ProcessMaps) {
        self.memory = memory
        self.maps = maps
        let prefix = "_swift_concurrency_debug_"
        let variables = symbols.variables(
            [prefix + "asyncTaskMetadata", prefix + "internal_layout_version", prefix + "asyncTaskSize"],
            in: "libswift_Concurrency")
        let version: UInt32? = variables[prefix + "internal_layout_version"].flatMap { memory.integer(at: $0) }
        let size = variables[prefix + "asyncTaskSize"].flatMap { memory.word(at: $0) }
        let metadata = variables[prefix + "asyncTaskMetadata"].flatMap { memory.word(at: $0) }
        isPresent = !variables.isEmpty
        taskClass = version == Layout.version && size == Layout.taskSize && metadata != 0 ? metadata : nil
    }

    /// Reads a task; nil when there is none at the address.
    ///
    /// A freed task whose memory is not used again looks like a completed one.
    func task(at address: UInt64) -> Task? {
        guard let taskClass, address & 15 == 0, let words = memory.words(at: address, count: Layout.words),
            words[0] == taskClass
        else { return nil }
        func word(_ offset: UInt64) -> UInt64 { words[Int(offset / 8)] }
        let flags = UInt32(truncatingIfNeeded: word(Layout.flags))
        // The low byte is the kind of the job, 0 for a task.
        guard flags & 0xFF == 0, maps.isCode(word(Layout.resume)) else { return nil }
        return Task(
            address: address, number: UInt32(truncatingIfNeeded: word(Layout.number & ~7) >> 32),
            resume: word(Layout.resume), context: word(Layout.context),
            parent: flags & Layout.isChild != 0 ? word(Layout.parent) : nil,
            awaited: awaited(word(Layout.dependency), of: address),
            isComplete: word(Layout.status) & Layout.isComplete != 0)
    }

    private func awaited(_ record: UInt64, of task: UInt64) -> Task.Awaited? {
        guard record != 0, maps.isWritable(record), memory.word(at: record &+ Layout.task) == task,
            let kind: UInt32 = memory.integer(at: record &+ Layout.kind),
            let object = memory.word(at: record &+ Layout.object)
        else { return nil }
        return switch kind {
        case 1 where object != 0: .task(object)
        case 2: .continuation
        case 3: .group
        case 4 where object != 0: .actor(object)
        default: nil
        }
    }

    /// The functions that wait for each other in a suspended task, innermost first.
    func functions(of task: Task) -> [UInt64] {
        var functions = [task.resume]
        var context = task.context
        var seen: Set<UInt64> = []
        while functions.count < Self.deepestChain, maps.isWritable(context), seen.insert(context).inserted,
            let words = memory.words(at: context, count: 2)
        {
            if maps.isCode(words[1]) { functions.append(words[1]) }
            context = words[0]
        }
        return functions
    }

    /// The actor whose jobs a job runs; nil for another job.
    func drainedActor(ofJob job: UInt64) -> UInt64? {
        guard isKnown, memory.integer(at: job &+ Layout.flags, as: UInt8.self) == Layout.drainKind else { return nil }
        return memory.word(at: job &+ Layout.drainedActor)
    }
}
