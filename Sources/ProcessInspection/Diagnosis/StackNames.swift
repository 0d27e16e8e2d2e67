import CTFReader
import DispatchModel
import ReportText
import Symbolication

/// The names of the code of all stacks.
struct StackNames {
    private let table: SymbolTable
    private let images: ProcessImages

    /// Prefixes of functions of libdispatch and of the Swift runtime, which a static program contains.
    private static let runtimePrefixes = ["_dispatch_", "dispatch_", "__DISPATCH", "swift_", "swift::", "_swift_"]

    init(of stacks: [CallStack], images: ProcessImages, symbolizer: Symbolizer) {
        var calls: Set<UInt64> = []
        var exact: Set<UInt64> = []
        for frame in stacks.lazy.flatMap(\.frames) {
            if frame.isCall { calls.insert(frame.address) } else { exact.insert(frame.address) }
        }
        table = symbolizer.symbols(for: calls, functions: exact.subtracting(calls), in: images.loaded.map(\.image))
        self.images = images
    }

    /// All frames of a stack, innermost first. A call of an inlined function is a frame.
    func frames(of stack: CallStack) -> [StackFrame] { table.frames(of: stack.frames.map(\.address)) }

    /// The functions of a stack, innermost first. A function without a name is an empty text.
    func functions(of stack: CallStack) -> [String] { frames(of: stack).map { $0.symbol ?? "" } }

    /// The innermost frames of the program; empty when the stack has none.
    func programFrames(of stack: CallStack, limit: Int = 8) -> [StackFrame] {
        let frames = frames(of: stack).filter { frame in
            !Self.runtimePrefixes.contains { frame.symbol?.hasPrefix($0) == true }
        }
        return StackExcerpt.hasNoProgramFrame(frames) ? [] : StackExcerpt(of: frames, limit: limit).frames
    }

    /// Whether all code of a stack is in libraries whose file names begin with one of these texts.
    func isOnly(in libraries: [String], _ stack: CallStack) -> Bool {
        stack.frames.allSatisfy { frame in
            images.image(holding: frame.address).map { image in libraries.contains { image.name.hasPrefix($0) } }
                ?? false
        }
    }

    /// `Store.save() (App/Store.swift:12)`, or `libfoo.so+0x1234` for code without a symbol.
    static func text(_ frame: StackFrame) -> String {
        guard let symbol = frame.symbol else { return DisplayText.escaped(frame.description) }
        let name = SymbolText.brief(symbol)
        guard let path = frame.file, let line = frame.line, let file = path.lastPathComponent else {
            return DisplayText.escaped(name)
        }
        let module = SymbolText.module(of: symbol).map { "\($0)/" } ?? ""
        return DisplayText.escaped("\(name) (\(module)\(file):\(line))")
    }
}
