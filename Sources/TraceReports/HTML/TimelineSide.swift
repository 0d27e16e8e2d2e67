import DispatchAnalysis
import DispatchModel

/// A trace in a page: what was found in it, what is drawn of it, and how its call stacks read.
public struct TimelineSide {
    /// What has become of a finding from one trace to the other.
    enum Change: String {
        case gone, new, same
    }

    let analysis: Analysis
    let collector: TimelineCollector
    let frames: (StackIndex) -> [String]
    /// By the findings' ids; empty when there is nothing to compare with.
    private(set) var changes: [String: Change] = [:]

    /// - Parameters:
    ///   - analysis: what was found.
    ///   - collector: the observer that followed the same analysis, or another one of the same trace; it is left with
    ///     what is in the page.
    ///   - frames: the lines to show for a call stack, innermost first; by default module and offset.
    public init(
        _ analysis: Analysis, collector: TimelineCollector, frames: ((StackIndex) -> [String])? = nil
    ) {
        self.analysis = analysis
        self.collector = collector
        self.frames = frames ?? { Self.moduleFrames(of: $0, in: analysis.model) }
    }

    /// The same trace with its findings compared with those of another one.
    func compared(gone: [Finding] = [], new: [Finding] = []) -> TimelineSide {
        var copy = self
        copy.changes = Dictionary(analysis.findings.map { ($0.id, .same) }) { first, _ in first }
        for finding in gone { copy.changes[finding.id] = .gone }
        for finding in new { copy.changes[finding.id] = .new }
        return copy
    }

    /// `libfoo.so+0x1234` per frame: what can be said without symbols.
    private static func moduleFrames(of stack: StackIndex, in model: DispatchModel) -> [String] {
        guard stack.position < model.stacks.count else { return [] }
        return model[stack].map { address in
            guard let image = model.image(holding: address) else {
                return "0x" + String(address, radix: 16)
            }
            let name = image.path.lastPathComponent.map(String.init) ?? image.path
            return "\(name)+0x" + String(address &- image.base, radix: 16)
        }
    }
}
