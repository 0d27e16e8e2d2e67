import CTFReader
import DispatchModel

/// What is known about the code addresses of a trace.
public struct SymbolTable: Sendable {
    private let images: [Image]
    private let resolved: [UInt64: [StackFrame]]

    /// A table that knows where the images were, and the frames that a symboliser found.
    ///
    /// - Parameters:
    ///   - images: the mappings of the process, in any order.
    ///   - resolved: frames by return address; several where functions were inlined, innermost first.
    public init(images: [Image], resolved: [UInt64: [StackFrame]] = [:]) {
        self.images = images.sorted { $0.begin < $1.begin }
        self.resolved = resolved
    }

    /// The table with what another one of the same process knows.
    func adding(_ other: SymbolTable) -> SymbolTable {
        SymbolTable(images: images, resolved: resolved.merging(other.resolved) { own, _ in own })
    }

    /// The frames at a return address: at least one, with as much as is known.
    public func frames(at address: UInt64) -> [StackFrame] {
        resolved[address] ?? [unresolvedFrame(at: address)]
    }

    /// The frames of a whole stack, innermost first.
    public func frames(of stack: [UInt64]) -> [StackFrame] { stack.flatMap(frames(at:)) }

    /// The image and the offset in it, without a symbol.
    func unresolvedFrame(at address: UInt64) -> StackFrame {
        guard let image = image(holding: address) else {
            return StackFrame(address: address, image: "", offset: address)
        }
        return StackFrame(address: address, image: image.path, offset: address &- image.base)
    }

    /// The image whose mapping holds the address.
    func image(holding address: UInt64) -> Image? {
        let next = images.partitioningIndex { $0.begin > address }
        return next > 0 && address < images[next - 1].end ? images[next - 1] : nil
    }
}
