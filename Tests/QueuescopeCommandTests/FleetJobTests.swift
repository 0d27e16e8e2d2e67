import Foundation
import TestSupport
import Testing

/// The parts of Tools/fleet that need no cluster. `Tools/fleet --check` tests the rest.
@Suite struct FleetJobTests {
    private static let folder = Package.root + "/Tools/fleet-job"
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()

    private func python(_ arguments: [String]) throws -> Program.Result {
        let python = try #require(Program.installed("python3"))
        return try python.run(arguments, environment: ["PYTHONPATH": Self.folder, "PYTHONDONTWRITEBYTECODE": "1"])
    }

    @Test("The tests of Tools/fleet-job pass", .enabled(if: Program.canRun("python3")))
    func ownTests() throws {
        let result = try python(["-m", "unittest", "discover", "-s", Self.folder, "-t", Self.folder])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        "The copies of recorded traces are readable, except for the deliberately damaged copies",
        .enabled(if: Program.canRun("python3")))
    func corpus() throws {
        let corpus = directory.appending("corpus")
        let made = try python([
            Self.folder + "/fleet.py", "--queuescope", queuescope.path, "--make-corpus", "24", "--bad", "3", "-o",
            corpus,
        ])
        try #require(made.status == 0, "\(made.errors)")
        let lines = try String(contentsOfFile: corpus + "/listing.csv", encoding: .utf8).split(separator: "\r\n")
        #expect(lines.count == 25)
        var unreadable = 0
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",").map(String.init)
            let printed = try queuescope.run([
                "export", "\(corpus)/\(fields[0])", "--format", "csv", "--table", "processes",
            ])
            if printed.status == 2 {
                unreadable += 1
                continue
            }
            let process = printed.output.split(separator: "\r\n")[1].split(separator: ",").map(String.init)
            #expect(process[1] == fields[3])
            let begin = try #require(Double(process[7])) / 1e9
            let day = Date(timeIntervalSince1970: begin).ISO8601Format().prefix(10)
            #expect(day == fields[1])
        }
        #expect(unreadable == 3)
    }
}
