import Foundation
import TestSupport

/// The compilers that built this package, and the location of their runtime.
struct Toolchain {
    let swiftc: Program
    let clang: Program
    /// The folder with Swift's runtime and, in `linux`, libdispatch.
    let resources: String

    static let current: Toolchain? = {
        struct TargetInfo: Decodable {
            struct Paths: Decodable { let runtimeResourcePath: String }
            let paths: Paths
        }
        guard let swiftc = Program.installed("swiftc"),
            let result = try? swiftc.run(["-print-target-info"]), result.status == 0,
            let info = try? JSONDecoder().decode(TargetInfo.self, from: Data(result.output.utf8))
        else { return nil }
        let resources = info.paths.runtimeResourcePath
        let clang = URL(fileURLWithPath: resources + "/../../bin/clang").standardizedFileURL.path
        return Toolchain(swiftc: swiftc, clang: Program(path: clang), resources: resources)
    }()

    /// The command that compiles a program to an executable, or to a library with `plugIn`.
    func command(
        for program: UnmodifiedProgram, output: String, plugIn: Bool = false
    ) -> (compiler: Program, arguments: [String]) {
        let libraries = resources + "/linux"
        switch program.language {
        case .swift, .real:
            let text = (try? String(contentsOfFile: program.source, encoding: .utf8)) ?? ""
            let isLibrary = text.split(separator: "\n").contains("@main")
            return (
                swiftc,
                ["-O", "-g", "-swift-version", "5", "-module-name", program.name, program.source, "-o", output]
                    + (isLibrary ? ["-parse-as-library"] : []) + program.linkOptions
            )
        case .c, .shell:
            let isLinked = program.usesLibdispatch || plugIn
            let dispatch = isLinked ? ["-L", libraries, "-ldispatch", "-lBlocksRuntime"] : []
            return (
                clang,
                ["-std=gnu17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fblocks", "-pthread", "-I", resources]
                    + (plugIn ? ["-DPLUG_IN", "-shared", "-fPIC"] : []) + [program.source, "-o", output] + dispatch
                    + program.linkOptions + ["-Wl,-rpath," + libraries]
            )
        }
    }
}
