import CPreloadObject
import FoundationEssentials
import Glibc
import Symbolication

/// The shared library with the interposer, for `LD_PRELOAD`.
struct PreloadObject {
    static let fileName = "libqueuescope_preload.so"
    /// Names another library than the one of this executable.
    static let variable = "QUEUESCOPE_PRELOAD"

    let path: String

    /// Finds the library of this executable, wherever it was built, copied or installed.
    ///
    /// - Parameter explicit: the value of `--preload`.
    /// - Throws: ``CommandFailure`` with the command that builds the library.
    init(explicit: String? = nil) throws {
        if let named = explicit ?? ProcessInfo.processInfo.environment[Self.variable], !named.isEmpty {
            guard Self.isObject(named) else {
                throw CommandFailure(
                    .unavailable,
                    "cannot preload \(named): it is not a shared library for this machine. "
                        + "Tools/build-preload builds one"
                )
            }
            path = URL(fileURLWithPath: named).standardizedFileURL.path
        } else if let found = Self.places.first(where: Self.isObject) {
            path = found
        } else {
            throw CommandFailure(
                .unavailable,
                "cannot find \(Self.fileName), which records programs that do not link Queuescope. Build it: "
                    + "Tools/build-preload in the sources of queuescope, or name one with --preload")
        }
        // The dynamic linker separates the paths in `LD_PRELOAD` by colons and spaces.
        if path.contains(where: { $0 == ":" || $0.isWhitespace }) {
            throw CommandFailure(
                .unavailable,
                "cannot preload \(path): the dynamic linker accepts no path with a space or a colon. Copy the file "
                    + "elsewhere and name it with --preload")
        }
    }

    /// The possible paths: next to the executable, in the build folder, in the folder of `Tools/install`, and in the
    /// folder of `Tools/build-preload`.
    private static var places: [String] {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let folder = executable.deletingLastPathComponent()
        var places = [
            folder.appendingPathComponent(fileName),
            folder.appendingPathComponent(String(cString: qs_preload_object_path())),
            folder.appendingPathComponent("../lib/queuescope/\(fileName)"),
        ]
        var ancestor = folder
        while ancestor.path != "/", ancestor.lastPathComponent != ".build" { ancestor.deleteLastPathComponent() }
        if ancestor.path != "/" { places.append(ancestor.appendingPathComponent("preload/\(fileName)")) }
        return places.map { $0.standardizedFileURL.path }
    }

    private static func isObject(_ path: String) -> Bool {
        ELFFile(path: path)?.hasInterpreter == false
    }

    /// The functions of the library that a linker can wrap: `QS_ORIGINALS`. Functions that the archives of the C
    /// library refer to are excluded, because a linker reads these archives last.
    ///
    /// - Throws: ``CommandFailure`` when the file no longer exists.
    func hooks() throws -> [String] {
        guard let file = ELFFile(path: path) else {
            throw CommandFailure(.unavailable, "cannot read \(path)")
        }
        return file.texts(inSection: "qs_hook_names").sorted()
    }

    /// `LD_PRELOAD` with this library first, followed by its current value.
    var variableValue: [UInt8] {
        guard let present = getenv("LD_PRELOAD"), present.pointee != 0 else { return Array(path.utf8) }
        return Array("\(path):".utf8) + UnsafeRawBufferPointer(start: present, count: strlen(present))
    }
}
