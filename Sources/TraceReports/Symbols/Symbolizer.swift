import DispatchAnalysis
import DispatchModel

/// Maps code addresses to functions, files and lines with `llvm-symbolizer` of the toolchain.
///
/// One process of the tool answers all questions of a symbolizer. An image is read only when its file is the recorded
/// file (same build id). Otherwise its frames keep image and offset, so that no name is wrong.
public struct Symbolizer {
    let process: SymbolizerTool

    /// The path of `llvm-symbolizer`; nil when this machine has none.
    public var tool: String? { process.path }

    public let functions: (any FunctionKinds)? = ImageFunctions()

    /// Finds the tool in the folder of the `swift` on `PATH`, then on `PATH`. The tool of the toolchain reads the debug
    /// information of its compiler, and starts five times as fast as the tool of Debian, which loads 40 libraries.
    public init() {
        self.init(
            tool: ExecutableSearch.path(of: "llvm-symbolizer", besides: "swift")
                ?? ExecutableSearch.path(of: "llvm-symbolizer"))
    }

    public init(tool: String?) { process = SymbolizerTool(tool) }

    /// Starts the tool before the first question, because it takes some time to load.
    public func prepare() { process.start() }

    /// Selects the frames of a stack that are looked up.
    public enum Stacks: Sendable {
        case whole
        /// The frames of a brief report. Frames of libraries are looked up only in stacks without other frames: to name
        /// a function of the C library, the tool may read all debug information of that library.
        case brief
    }

    /// Looks up the addresses in the report of this analysis.
    ///
    /// The codes of the analysis already have names when it was created with a naming.
    public func symbols(of analysis: Analysis, stacks: Stacks = .whole) -> SymbolTable {
        let model = analysis.model
        var calls: Set<UInt64> = []
        var functions: Set<UInt64> = []
        let shown = Set(analysis.findings.flatMap { $0.stacks.map(\.stack) })
        for stack in shown {
            if model.awaitStacks.contains(stack) {
                functions.formUnion(model[stack])
            } else {
                calls.formUnion(model[stack])
            }
        }
        return switch stacks {
        case .whole: symbols(for: calls, functions: functions, in: model.images)
        case .brief:
            symbols(for: calls, functions: functions, shownOf: shown.map { model[$0] }, in: model.images)
        }
    }

    /// Looks up the addresses in excerpts of stacks.
    ///
    /// - Parameters:
    ///   - calls: return addresses in the stacks.
    ///   - functions: first bytes of functions in the stacks.
    ///   - stacks: the stacks.
    ///   - images: the mappings of the process.
    func symbols(
        for calls: Set<UInt64>, functions: Set<UInt64> = [], shownOf stacks: [[UInt64]], in images: [Image]
    ) -> SymbolTable {
        let bare = SymbolTable(images: images)
        let ofLibraries = calls.filter { StackExcerpt.isLibraryFrame(bare.unresolvedFrame(at: $0)) }
        let table = symbols(for: calls.subtracting(ofLibraries), functions: functions, in: images)
        let rest = stacks.filter { StackExcerpt.hasNoProgramFrame(table.frames(of: $0)) }
        return table.adding(symbols(for: ofLibraries.intersection(rest.joined()), in: images))
    }

    /// Looks up addresses.
    ///
    /// - Parameters:
    ///   - calls: return addresses in the recorded process.
    ///   - functions: first bytes of functions in the recorded process.
    ///   - images: the mappings of the recorded process.
    /// - Returns: a table, which also has frames without symbols for addresses that were not found.
    public func symbols(for calls: Set<UInt64>, functions: Set<UInt64> = [], in images: [Image]) -> SymbolTable {
        let bare = SymbolTable(images: images)
        guard tool != nil, !calls.isEmpty || !functions.isEmpty else { return bare }
        var search = SymbolSearch(tool: process, images: bare)
        // A return address follows the call instruction. The preceding byte is inside of it.
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

/// The tool of a symbolizer and its copies. It is started for the first question.
final class SymbolizerTool {
    /// Nil when this machine has no such tool.
    let path: String?
    private var process: SymbolizerProcess?
    /// Number of remaining attempts to find an image to load.
    private var remainingLoadAttempts = 64
    /// True when an image was loaded and no question was asked since.
    private var isLoading = false

    init(_ path: String?) { self.path = path }

    func start() {
        if let process, process.hasEnded, !process.isSilent { self.process = nil }
        guard let path, process == nil else { return }
        process = SymbolizerProcess(path)
    }

    /// Whether to look for an image to load. The attempts are limited, because a program can have no such image.
    func mayLoad() -> Bool {
        remainingLoadAttempts -= 1
        return path != nil && remainingLoadAttempts >= 0
    }

    /// Asks a question and ignores the answer, without waiting. The tool loads the image in the background.
    ///
    /// - Parameter question: nil when there is no image to load.
    func load(_ question: String?) {
        remainingLoadAttempts = 0
        guard let question else { return }
        start()
        process?.load(question)
        isLoading = true
    }

    /// The answers to the first of these questions. There are fewer answers than questions when the tool cannot be
    /// started or has ended. The next questions then start a new process.
    func ask(_ questions: [String]) -> [[UInt8]] {
        guard !questions.isEmpty else { return [] }
        start()
        let answers = process?.ask(questions) ?? []
        let mayHaveEndedOverLoading = isLoading
        isLoading = false
        guard answers.isEmpty, mayHaveEndedOverLoading else { return answers }
        start()
        return process?.ask(questions) ?? []
    }
}
