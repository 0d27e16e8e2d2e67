import Dispatch

/// A directory that many threads read and that changes from time to time.
struct DirectoryService: Scenario {
    static let id = "directory-service"
    static let detector = "readers-writer"
    static let gain = Gain.processorTime
    static let summary = """
        A directory's concurrent queue has a barrier for nearly every read, so its readers never run together.
        """
    static let repair = "Changes are collected into one barrier for many reads."

    let label: String
    let readers: Int
    let rounds: Int

    init(_ variation: inout Variation) {
        label = variation.label("directory")
        readers = variation.count("readers", 3...5)
        rounds = variation.count("rounds", 30...60)
    }

    var culprits: [String] { [label] }

    func run(repaired: Bool) {
        let directory = DispatchQueue(label: label, attributes: .concurrent)
        ProgramThread.run(readers) { reader in
            for round in 0..<rounds {
                directory.sync { Work.compute(for: .microseconds(200)) }
                if !repaired || (reader == 0 && round % 20 == 0) {
                    directory.async(flags: .barrier) { Work.compute(for: .microseconds(200)) }
                }
            }
        }
        directory.sync(flags: .barrier) {}
    }
}
