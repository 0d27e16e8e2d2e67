import CTFReader
import DispatchModel

/// The images and symbols for the code addresses of a trace.
public struct SymbolTable: Sendable {
    private let images: [Image]
    private let resolved: [UInt64: [StackFrame]]

    /// Creates a table from the mappings of a process and the frames that a symbolizer found.
    ///
    /// - Parameters:
    ///   - images: the mappings of the process, in any order.
    ///   - resolved: frames by return address. An address has several, innermost first, when functions were inlined.
    public init(images: [Image], resolved: [UInt64: [StackFrame]] = [:]) {
        self.images = images.sorted { $0.begin < $1.begin }
        self.resolved = resolved
    }

    /// This table with the additional frames of another table of the same process.
    func adding(_ other: SymbolTable) -> SymbolTable {
        SymbolTable(images: images, resolved: resolved.merging(other.resolved) { own, _ in own })
    }

    /// All frames that a symbolizer found, in no order.
    package var resolvedFrames: some Sequence<StackFrame> { resolved.values.joined() }

    /// The frames at a return address: at least one, which has only image and offset when the symbol is unknown.
    public func frames(at address: UInt64) -> [StackFrame] {
        resolved[address] ?? [unresolvedFrame(at: address)]
    }

    /// The frames of a whole stack, innermost first.
    public func frames(of stack: [UInt64]) -> [StackFrame] { stack.flatMap(frames(at:)) }

    /// A frame with image and offset, without a symbol.
    package func unresolvedFrame(at address: UInt64) -> StackFrame {
        guard let image = image(holding: address) else {
            return StackFrame(address: address, image: "", offset: address)
        }
        return StackFrame(address: address, image: image.path, offset: address &- image.base)
    }

    /// The image whose mapping contains the address.
    func image(holding address: UInt64) -> Image? {
        let next = images.partitioningIndex { $0.begin > address }
        return next > 0 && address < images[next - 1].end ? images[next - 1] : nil
    }
}
