import Foundation
import PackagePlugin

/// Bundles the timeline's scripts (`Sources/TimelinePage/Web`) during the build with `Tools/PageBundler`. It uses
/// every script of the folder, so a new script needs no entry in a list.
@main
struct PagePlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Sources/TimelinePage/Web")
        let names = FileManager.default.subpaths(atPath: folder.path) ?? []
        let source = context.pluginWorkDirectoryURL.appending(path: "PageProgram.swift")
        return [
            .buildCommand(
                displayName: "Bundling the timeline's scripts", executable: try context.tool(named: "PageBundler").url,
                arguments: [folder.path, source.path],
                inputFiles: names.filter { $0.hasSuffix(".js") }.sorted().map { folder.appending(path: $0) },
                outputFiles: [source])
        ]
    }
}
