/// The memory, the mappings and the threads of a process: of a running one (``RunningProcess``), or of one whose memory
/// is in a core file (``CoreProcess``).
protocol InspectedProcess: MemorySource {
    var pid: Int32 { get }
    /// The file name of the executable, or the name that the process gave itself.
    var name: String { get }
    /// The path of the executable in the file system of the process; nil when it is unknown.
    var executablePath: String? { get }
    var maps: ProcessMaps { get }
    /// The core file; nil for a running process. The threads of a core are observed at one instant.
    var core: CoreOrigin? { get }
    /// Sentences about parts of the process that cannot be read.
    var gaps: [String] { get }

    /// The path at which this command can read the file of an image; empty when there is no such file.
    func file(of mapping: Mapping) -> String

    /// The parts of a range whose content can be read without an effect on the process, in ascending order.
    func presentRuns(of range: Range<UInt64>) -> [Range<UInt64>]

    /// Reads the first `limit` threads.
    ///
    /// - Throws: ``InspectionError`` when no thread can be read.
    func threads(limit: Int, unwinder: Unwinder) throws(InspectionError) -> [InspectedThread]

    /// The number of context switches of a thread until now; nil when the thread has ended.
    func switches(of tid: Int32) -> UInt64?

    /// The system call in which a thread is blocked now; nil when it runs or has ended.
    func currentCall(of thread: InspectedThread) -> SystemCall?
}

/// The core file of a process.
struct CoreOrigin {
    let path: String
    /// The number of the signal that ended the process; nil for the core of a process that continued.
    let signal: Int32?
}
