import Foundation

/// Writes the initial inputs of both fuzz targets: the traces that the tests declare.
@main
enum SeedWriter {
    static func main() throws {
        let folder = CommandLine.arguments[1]
        let random = (1...20).map { seed -> DeclaredTrace in
            var generator = RandomTrace(seed: UInt64(seed))
            return generator.trace()
        }
        for (index, trace) in (ConstructTrace.all.map { $0.make() } + random).enumerated() {
            let metadata = Array(trace.metadata.utf8)
            try Data(metadata).write(to: URL(fileURLWithPath: "\(folder)/metadata/\(index)"))
            let stream = trace.streamFiles.first?.bytes ?? []
            try Data(metadata + [0] + stream).write(to: URL(fileURLWithPath: "\(folder)/packets/\(index)"))
            guard let fragments = trace.fragments.map({ Array($0.utf8) }) else { continue }
            try Data(fragments).write(to: URL(fileURLWithPath: "\(folder)/metadata/\(index)-2"))
            try Data(fragments + [0] + stream).write(to: URL(fileURLWithPath: "\(folder)/packets/\(index)-2"))
        }
    }
}
