import Foundation
import PackagePlugin

/// Builds the preload object along with the command, into the resources that stand next to the executable.
///
/// SwiftPM's own dynamic libraries need the Swift runtime, which must not come into a program that has none; the toolchain's clang alone makes
/// a library that needs libc only. `Tools/build-preload` does the same by hand.
@main
struct PreloadPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let package = context.package.directoryURL
        let folders = ["CTraceRecorder", "CDispatchInterposer"].map { package.appending(path: "Sources/\($0)") }
        let includes = folders.map { $0.appending(path: "include") }
        let flags = package.appending(path: "Tools/PreloadPlugin/compiler-flags")
        let versions = package.appending(path: "Tools/PreloadPlugin/versions.map")
        let weakFunctions = package.appending(path: "Sources/CDispatchInterposer/weak_functions.h")
        let files = try (folders + includes).flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        let sources = files.filter { $0.pathExtension == "c" }.map(\.path).sorted()
        let headers = files.filter { $0.pathExtension == "h" }
        let object = context.pluginWorkDirectoryURL.appending(path: "libqueuescope_preload.so")
        return [
            .buildCommand(
                displayName: "Building the preload object", executable: try context.tool(named: "clang").url,
                arguments: ["@\(flags.path)", "-include", weakFunctions.path, "-Wl,--version-script=\(versions.path)"]
                    + includes.map { "-I\($0.path)" } + sources + ["-o", object.path],
                inputFiles: [flags, versions] + headers + sources.map { URL(filePath: $0) }, outputFiles: [object])
        ]
    }
}
