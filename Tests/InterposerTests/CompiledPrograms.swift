import Foundation
import TestSupport

/// The unmodified programs as executables, cached next to the test products between test runs.
enum CompiledPrograms {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// The command that runs a program: its executable, compiled if there is none of the same source, or the shell.
    ///
    /// - Parameter program: the program.
    /// - Returns: the executable and its leading arguments.
    /// - Throws: `Failure` with the compiler's messages.
    static func executable(of program: UnmodifiedProgram) throws -> (path: String, arguments: [String]) {
        guard program.language != .shell else { return ("/bin/sh", [program.source]) }
        guard let toolchain = Toolchain.current else {
            throw Failure(description: "There is no swiftc along PATH to compile \(program.source) with.")
        }
        let directory = "\(cache)/\(try key(program, toolchain))"
        let path = "\(directory)/\(program.name)"
        if FileManager.default.isExecutableFile(atPath: path) { return (path, []) }
        // Compiled under a temporary name, because several tests may compile the same program at the same time.
        let building = "\(directory).\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: building, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: building) }
        try compile(program, with: toolchain, to: "\(building)/\(program.name)", plugIn: false)
        if program.isPlugIn {
            try compile(program, with: toolchain, to: "\(building)/\(program.name).so", plugIn: true)
        }
        if rename(building, directory) != 0, !FileManager.default.isExecutableFile(atPath: path) {
            throw Failure(description: "Cannot create \(directory): \(String(cString: strerror(errno))).")
        }
        return (path, [])
    }

    private static var cache: String {
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return runner.deletingLastPathComponent().path + "/unmodified-programs"
    }

    private static func compile(
        _ program: UnmodifiedProgram, with toolchain: Toolchain, to output: String, plugIn: Bool
    ) throws {
        let command = toolchain.command(for: program, output: output, plugIn: plugIn)
        let result = try command.compiler.run(command.arguments)
        guard result.status == 0 else {
            throw Failure(description: "Cannot compile \(program.source): \(result.errors)\(result.output)")
        }
    }

    /// A name that depends on everything that the executable is made of.
    private static func key(_ program: UnmodifiedProgram, _ toolchain: Toolchain) throws -> String {
        let folder = URL(fileURLWithPath: program.source).deletingLastPathComponent().path
        let headers = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".h") }.sorted()
        var content = Data()
        for file in [program.source] + headers.map({ "\(folder)/\($0)" }) {
            content += try Data(contentsOf: URL(fileURLWithPath: file))
        }
        let command = toolchain.command(for: program, output: "")
        content += Data(([command.compiler.path] + command.arguments).joined(separator: " ").utf8)
        // FNV-1a.
        let hash = content.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return "\(program.name)-\(String(hash, radix: 16))"
    }
}
