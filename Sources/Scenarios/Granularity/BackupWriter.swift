import Dispatch

/// A service's storage queue writes a backup between small updates.
struct BackupWriter: Scenario {
    static let id = "backup-writer"
    static let detector = "work-too-large"
    static let gain = Gain.longestWait
    static let summary = "A backup is one long item of the storage queue, and small updates wait behind it."
    static let repair = "The backup is divided into parts, and each part submits the next one."

    let label: String
    let backup: Duration
    let updates: Int

    init(_ variation: inout Variation) {
        label = variation.label("storage")
        backup = variation.duration("backup", .milliseconds(140)...(.milliseconds(240)))
        updates = variation.count("updates", 10...40)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let storage = DispatchQueue(label: label)
        let done = DispatchGroup()
        if repaired {
            writeSlice(of: 40, storage, done)
        } else {
            storage.async(group: done) { Work.compute(for: backup) }
        }
        for _ in 0..<updates {
            storage.async(group: done) { Work.compute(for: .microseconds(100)) }
            Work.block(for: .milliseconds(1))
        }
        done.wait()
    }

    private func writeSlice(of slices: Int, _ storage: DispatchQueue, _ done: DispatchGroup) {
        guard slices > 0 else { return }
        storage.async(group: done) {
            Work.compute(for: backup / 40)
            writeSlice(of: slices - 1, storage, done)
        }
    }
}
