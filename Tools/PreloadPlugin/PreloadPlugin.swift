import Foundation
import PackagePlugin

/// Builds the preload object together with the command, into the resources next to the executable.
///
/// SwiftPM's dynamic libraries need the Swift runtime, which must not be loaded into other programs. The toolchain's
/// clang alone builds a library that needs only libc. `Tools/build-preload` builds the same object without SwiftPM.
@main
struct PreloadPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let package = context.package.directoryURL
        let folders = ["CTraceRecorder", "CDispatchInterposer"].map { package.appending(path: "Sources/\($0)") }
        let includes = folders.map { $0.appending(path: "include") }
        let flags = package.appending(path: "Tools/PreloadPlugin/compiler-flags")
        let versions = package.appending(path: "Tools/PreloadPlugin/versions.map")
        let weakFunctions = package.appending(path: "Sources/CDispatchInterposer/weak_functions.h")
        let files = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.appending(path: $0) }
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
