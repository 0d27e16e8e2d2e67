import DispatchAnalysis
import DispatchModel
import Foundation

/// Turns code addresses into functions, files and lines with the toolchain's `llvm-symbolizer`.
///
/// One process per report, whatever the number of addresses. An image is looked into only when its file is the one that
/// was recorded (same build id); otherwise its frames stay as image and offset, which is less but never wrong.
public struct Symbolizer {
    /// Path of `llvm-symbolizer`; nil when this machine has none.
    public let tool: String?

    /// Looks for the tool on `PATH`, then next to the `swift` that `PATH` finds.
    public init() {
        tool =
            ExecutableSearch.path(of: "llvm-symbolizer")
            ?? ExecutableSearch.path(of: "llvm-symbolizer", besides: "swift")
    }

    public init(tool: String?) { self.tool = tool }

    /// Looks up every address that a report of this analysis shows.
    public func symbols(of analysis: Analysis) -> SymbolTable {
        var addresses: Set<UInt64> = []
        for finding in analysis.findings {
            for (_, stack) in finding.stacks { addresses.formUnion(analysis.model[stack]) }
            for code in finding.code where analysis.model[code].address != 0 {
                addresses.insert(analysis.model[code].address &+ 1)
            }
        }
        return symbols(for: addresses, in: analysis.model.images)
    }

    /// Looks up the addresses.
    ///
    /// - Parameters:
    ///   - addresses: return addresses in the recorded process.
    ///   - images: its mappings.
    /// - Returns: a table that also answers for addresses that could not be looked up.
    public func symbols(for addresses: Set<UInt64>, in images: [Image]) -> SymbolTable {
        let bare = SymbolTable(images: images)
        guard let tool, !addresses.isEmpty else { return bare }
        var isSame: [String: Bool] = [:]
        var asked: [UInt64] = []
        var input = ""
        for address in addresses.sorted() {
            guard let image = bare.image(holding: address), address > image.base, Self.isQuotable(image.path) else {
                continue
            }
            let same = isSame[image.path] ?? Self.isRecordedFile(image)
            isSame[image.path] = same
            guard same else { continue }
            asked.append(address)
            // A return address is behind the call: one byte before it is inside.
            input += "CODE \"\(image.path)\" 0x\(String(address &- image.base &- 1, radix: 16))\n"
        }
        guard !asked.isEmpty, let output = Self.run(tool, input: input) else { return bare }
        var resolved: [UInt64: [StackFrame]] = [:]
        for (address, line) in zip(asked, output.split(separator: UInt8(ascii: "\n"))) {
            guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)) else { continue }
            let frames = answer.frames(at: bare.unresolvedFrame(at: address))
            if !frames.isEmpty { resolved[address] = frames }
        }
        return SymbolTable(images: images, resolved: resolved)
    }

    private static func isQuotable(_ path: String) -> Bool {
        path.hasPrefix("/") && !path.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }

    private static func isRecordedFile(_ image: Image) -> Bool {
        guard FileManager.default.isReadableFile(atPath: image.path) else { return false }
        return image.buildID.isEmpty || BuildID.ofFile(at: image.path) == image.buildID.lowercased()
    }

    /// The tool's answer to one address.
    private struct Answer: Decodable {
        struct Location: Decodable {
            let function: String
            let file: String
            let line: Int

            enum CodingKeys: String, CodingKey {
                case function = "FunctionName"
                case file = "FileName"
                case line = "Line"
            }
        }
        let locations: [Location]?

        enum CodingKeys: String, CodingKey { case locations = "Symbol" }

        func frames(at bare: StackFrame) -> [StackFrame] {
            (locations ?? []).compactMap { location in
                guard !location.function.isEmpty, location.function != "??" else { return nil }
                var frame = bare
                frame.symbol = Demangler.demangled(location.function) ?? location.function
                // Code that the compiler made up has a name in place of a file, in angle brackets.
                if !location.file.isEmpty, location.file != "??", !location.file.hasSuffix(">") {
                    frame.file = location.file
                    frame.line = location.line > 0 ? location.line : nil
                }
                return frame
            }
        }
    }

    private static func run(_ tool: String, input: String) -> Data? {
        // The questions go through a file: a pipe that both sides fill could stop both.
        let questions = FileManager.default.temporaryDirectory.appendingPathComponent("queuescope-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: questions) }
        guard
            FileManager.default.createFile(
                atPath: questions.path, contents: Data(input.utf8), attributes: [.posixPermissions: 0o600]),
            let reading = FileHandle(forReadingAtPath: questions.path)
        else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = ["--output-style=JSON", "--no-demangle", "--inlines"]
        process.standardInput = reading
        process.standardError = FileHandle.nullDevice
        let answers = Pipe()
        process.standardOutput = answers
        guard (try? process.run()) != nil else { return nil }
        let output = try? answers.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return output
    }
}
