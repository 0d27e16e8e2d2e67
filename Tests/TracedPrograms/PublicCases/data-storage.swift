// Operations of a study store their lines under one lock, which is held while the file is written.
//: source https://github.com/onnela-lab/beiwe-ios/issues/46
//: detector lock-contention|staircase-contention
//: code DataStorage.store
//: also staircase-contention lock-contention pool-starvation
import Dispatch
import Foundation

let fixed = CommandLine.arguments.contains("fixed")

final class DataStorage: @unchecked Sendable {
    private let lock = NSLock()
    private let writer = DispatchQueue(label: "study.writer")
    private var lines: [String] = []

    private func writeFile(_ lines: [String]) { usleep(4_000) }

    func store(_ line: String) {
        lock.lock()
        lines.append(line)
        if fixed {
            let batch = lines
            lines = []
            lock.unlock()
            writer.async { self.writeFile(batch) }
        } else {
            writeFile(lines)
            lines = []
            lock.unlock()
        }
    }

    func flush() { writer.sync {} }
}

let storage = DataStorage()
let sensors = (0..<6).map { sensor in
    Thread { for sample in 0..<40 { storage.store("\(sensor) \(sample)"); usleep(1_000) } }
}
for sensor in sensors { sensor.start() }
while sensors.contains(where: { !$0.isFinished }) { usleep(10_000) }
storage.flush()
