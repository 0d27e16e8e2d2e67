import DispatchAnalysis
import DispatchModel
import FoundationEssentials

/// Turns code addresses into functions, files and lines with the toolchain's `llvm-symbolizer`.
///
/// One process of it answers all questions of a symbolizer. An image is looked into only when its file is the one that
/// was recorded (same build id); otherwise its frames stay as image and offset, which is less but never wrong.
public struct Symbolizer {
    let process: SymbolizerTool

    /// Path of `llvm-symbolizer`; nil when this machine has none.
    public var tool: String? { process.path }

    public let functions: (any FunctionKinds)? = ImageFunctions()

    /// Looks for the tool on `PATH`, then next to the `swift` that `PATH` finds.
    public init() {
        self.init(
            tool: ExecutableSearch.path(of: "llvm-symbolizer")
                ?? ExecutableSearch.path(of: "llvm-symbolizer", besides: "swift"))
    }

    public init(tool: String?) { process = SymbolizerTool(tool) }

    /// Starts the tool, which takes a while to load: before the first question is known.
    public func prepare() { process.start() }

    /// Looks up every address that a report of this analysis shows.
    ///
    /// Code has names already when the analysis was told to name it.
    public func symbols(of analysis: Analysis) -> SymbolTable {
        var calls: Set<UInt64> = []
        var functions: Set<UInt64> = []
        for finding in analysis.findings {
            for (_, stack) in finding.stacks {
                if analysis.model.awaitStacks.contains(stack) {
                    functions.formUnion(analysis.model[stack])
                } else {
                    calls.formUnion(analysis.model[stack])
                }
            }
        }
        return symbols(for: calls, functions: functions, in: analysis.model.images)
    }

    /// Looks up the addresses.
    ///
    /// - Parameters:
    ///   - calls: return addresses in the recorded process.
    ///   - functions: first bytes of functions there.
    ///   - images: its mappings.
    /// - Returns: a table that also answers for addresses that could not be looked up.
    public func symbols(for calls: Set<UInt64>, functions: Set<UInt64> = [], in images: [Image]) -> SymbolTable {
        let bare = SymbolTable(images: images)
        guard tool != nil, !calls.isEmpty || !functions.isEmpty else { return bare }
        var search = SymbolSearch(tool: process, images: bare)
        // A return address is behind the call: one byte before it is inside.
        let inside = calls.map { (address: $0, lookUp: $0 &- 1) } + functions.map { (address: $0, lookUp: $0) }
        search.lookUp(inside.map(\.lookUp))
        var resolved: [UInt64: [StackFrame]] = [:]
        for (address, lookUp) in inside {
            let places = search.places(at: lookUp)
            guard !places.isEmpty else { continue }
            let bareFrame = bare.unresolvedFrame(at: address)
            resolved[address] = places.map { place in
                var frame = bareFrame
                frame.symbol = Demangler.demangled(place.function) ?? place.function
                frame.file = place.file
                frame.line = place.line
                return frame
            }
        }
        return SymbolTable(images: images, resolved: resolved)
    }
}

/// The tool of a symbolizer and its copies, which runs from the first question on.
final class SymbolizerTool {
    /// Nil when this machine has none.
    let path: String?
    private var process: SymbolizerProcess?

    init(_ path: String?) { self.path = path }

    func start() {
        guard let path, process == nil else { return }
        process = SymbolizerProcess(path)
    }

    /// The answers to the first of these questions: fewer when the tool cannot be started, or ended. Then the next
    /// questions are for a new one.
    func ask(_ questions: [String]) -> [[UInt8]] {
        guard !questions.isEmpty else { return [] }
        start()
        let answers = process?.ask(questions) ?? []
        if let process, process.hasEnded, !process.isSilent { self.process = nil }
        return answers
    }
}
