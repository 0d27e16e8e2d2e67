import DispatchAnalysis
import DispatchModel

/// Turns code addresses into functions, files and lines with the toolchain's `llvm-symbolizer`.
///
/// One process of it answers all questions of a symbolizer. An image is looked into only when its file is the one that
/// was recorded (same build id); otherwise its frames stay as image and offset, which is less but never wrong.
public struct Symbolizer {
    let process: SymbolizerTool

    /// Path of `llvm-symbolizer`; nil when this machine has none.
    public var tool: String? { process.path }

    public let functions: (any FunctionKinds)? = ImageFunctions()

    /// Looks for the tool next to the `swift` that `PATH` finds, then on `PATH`: the toolchain's own one reads the
    /// debug information that its compiler writes, and starts five times as fast as Debian's, which loads 40 libraries.
    public init() {
        self.init(
            tool: ExecutableSearch.path(of: "llvm-symbolizer", besides: "swift")
                ?? ExecutableSearch.path(of: "llvm-symbolizer"))
    }

    public init(tool: String?) { process = SymbolizerTool(tool) }

    /// Starts the tool, which takes a while to load: before the first question is known.
    public func prepare() { process.start() }

    /// Which frames of a stack are looked up.
    public enum Stacks: Sendable {
        case whole
        /// Those that a report shows in brief: frames of libraries only where a stack has no others. To name a
        /// function of the C library, the tool may have to read all debug information of that.
        case brief
    }

    /// Looks up the addresses that a report of this analysis shows.
    ///
    /// Code has names already when the analysis was told to name it.
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

    /// Looks up the addresses that excerpts of stacks show.
    ///
    /// - Parameters:
    ///   - calls: return addresses in the stacks.
    ///   - functions: first bytes of functions there.
    ///   - stacks: the stacks.
    ///   - images: the mappings of the process.
    func symbols(
        for calls: Set<UInt64>, functions: Set<UInt64> = [], shownOf stacks: [[UInt64]], in images: [Image]
    ) -> SymbolTable {
        let bare = SymbolTable(images: images)
        let ofLibraries = calls.filter { StackExcerpt.isOfLibrary(bare.unresolvedFrame(at: $0)) }
        let table = symbols(for: calls.subtracting(ofLibraries), functions: functions, in: images)
        let rest = stacks.filter { StackExcerpt.isOfNothingElse(table.frames(of: $0)) }
        return table.adding(symbols(for: ofLibraries.intersection(rest.joined()), in: images))
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
    /// How often it may still be looked for something to load.
    private var remainingLoadAttempts = 64
    /// It was told to load something, and not asked anything since.
    private var isLoading = false

    init(_ path: String?) { self.path = path }

    func start() {
        if let process, process.hasEnded, !process.isSilent { self.process = nil }
        guard let path, process == nil else { return }
        process = SymbolizerProcess(path)
    }

    /// Whether it is still worth to look for something to load; not for ever, as a program may have nothing.
    func mayLoad() -> Bool {
        remainingLoadAttempts -= 1
        return path != nil && remainingLoadAttempts >= 0
    }

    /// Asks a question whose answer nobody needs, and does not wait for it: what it is about is loaded meanwhile.
    ///
    /// - Parameter question: nil where there is nothing to load after all.
    func load(_ question: String?) {
        remainingLoadAttempts = 0
        guard let question else { return }
        start()
        process?.load(question)
        isLoading = true
    }

    /// The answers to the first of these questions: fewer when the tool cannot be started, or ended. Then the next
    /// questions are for a new one.
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
