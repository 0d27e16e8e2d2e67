import Glibc

/// A step of a template.
private struct Step {
    enum Kind {
        case text, unsigned, signed, hexadecimal, otherBase, string, align
        /// An enumeration. The texts of its small values are in `labels` from index `first` on.
        case enumeration(first: Int, count: Int)
    }

    var kind: Kind
    /// The constant text before the value.
    var textStart: Int
    var textCount: Int
    var alignment = 1
    var size = 0
    var isBigEndian = false
    /// The field, for the slow path.
    var node: Unmanaged<FieldNode>?
}

/// The text of an event class, prepared once: the constant text, and the positions of the values.
///
/// ```
///   record     { queue = 17, kind = ( "async" : container = 0 ) }
///   text       { queue =   , kind =                              }
///   steps               17           ( "async" : container = 0 )
/// ```
///
/// Templates support integers, enumerations and strings, which covers nearly all records of most traces.
/// ``FieldPrinter`` writes records with arrays, variants or floating-point numbers.
final class LineTemplate {
    // Manually allocated copies, so that writing a record has no reference counting.
    private let steps: UnsafeMutableBufferPointer<Step>
    private let text: UnsafeMutablePointer<UInt8>
    private let labels: UnsafeMutableBufferPointer<Range<Int>>
    /// Keeps the nodes alive.
    private let structures: [FieldNode]

    /// Creates a template; nil when a field has a type that a template does not support.
    ///
    /// - Parameter structures: the contexts and the payload, in the order of a record.
    init?(_ structures: [FieldNode]) {
        var draft = Draft()
        for (index, node) in structures.enumerated() {
            if index > 0 { draft.text.append(contentsOf: ", ".utf8) }
            guard draft.add(node) else { return nil }
        }
        draft.end(.text)
        self.structures = structures
        steps = .allocate(capacity: draft.steps.count)
        _ = steps.initialize(from: draft.steps)
        text = LineBuffer.padded(draft.text)
        labels = .allocate(capacity: draft.labels.count)
        _ = labels.initialize(from: draft.labels)
    }

    deinit {
        steps.deallocate()
        text.deallocate()
        labels.deallocate()
    }

    // MARK: Writing

    /// Writes the fields of a record.
    ///
    /// - Parameters:
    ///   - base: the start of the packet.
    ///   - start: the first bit of the first structure. The record must be complete.
    ///   - line: receives the text.
    func write(_ base: UnsafeRawPointer, from start: Int, to line: inout LineBuffer) {
        var position = start
        for index in steps.indices { write(steps[index], base, &position, to: &line) }
    }

    @inline(__always)
    private func write(_ step: Step, _ base: UnsafeRawPointer, _ position: inout Int, to line: inout LineBuffer) {
        line.append(padded: text + step.textStart, count: step.textCount)
        if case .text = step.kind { return }
        position = BitField.align(position, step.alignment)
        switch step.kind {
        case .text, .align: break
        case .unsigned: line.append(number(step, base, &position))
        case .signed: line.append(Int64(bitPattern: BitField.signed(number(step, base, &position), size: step.size)))
        case .hexadecimal: line.append(hexadecimal: number(step, base, &position))
        case .otherBase:
            let node = step.node!.takeUnretainedValue()
            let bits = number(step, base, &position)
            FieldPrinter.print(node.isSigned ? BitField.signed(bits, size: step.size) : bits, node, to: &line)
        case .enumeration(let first, let count):
            // The raw bits of a negative value are larger than any positive value of the container, so they never index
            // `labels`.
            let bits = number(step, base, &position)
            if bits < UInt64(count) {
                let label = labels[first + Int(bits)]
                line.append(padded: text + label.lowerBound, count: label.count)
            } else {
                let node = step.node!.takeUnretainedValue()
                let value = node.isSigned ? BitField.signed(bits, size: step.size) : bits
                FieldPrinter.print(node.enumeration!, value, node, to: &line)
            }
        case .string:
            let first = base + (position >> 3)
            let count = strlen(first.assumingMemoryBound(to: CChar.self))
            line.appendQuoted(UnsafeRawBufferPointer(start: first, count: count))
            position += (count + 1) * 8
        }
    }

    @inline(__always)
    private func number(_ step: Step, _ base: UnsafeRawPointer, _ position: inout Int) -> UInt64 {
        let start = position
        position = start + step.size
        return BitField.unsigned(base, start, size: step.size, isBigEndian: step.isBigEndian)
    }
}

/// A template under construction.
private struct Draft {
    /// Values below this limit have a prepared text.
    private static let labelLimit: UInt64 = 64

    var steps: [Step] = []
    var text: [UInt8] = []
    /// Ranges in `text`.
    var labels: [Range<Int>] = []
    private var pendingStart = 0

    /// Adds a step. The text since the last step becomes its constant text.
    mutating func end(_ kind: Step.Kind, _ node: FieldNode? = nil) {
        var step = Step(kind: kind, textStart: pendingStart, textCount: text.count - pendingStart)
        if let node {
            step.alignment = node.alignment
            step.size = node.size
            step.isBigEndian = node.isBigEndian
            step.node = Unmanaged.passUnretained(node)
        }
        steps.append(step)
        pendingStart = text.count
    }

    mutating func add(_ node: FieldNode) -> Bool {
        switch node.kind {
        case .integer:
            guard node.isPlainInteger else { return false }
            addNumber(node)
            return true
        case .string:
            guard node.encoding.unitSize == 1 else { return false }
            end(.string, node)
            return true
        case .structure(let fields):
            if node.alignment > 1 { end(.align, node) }
            text.append(UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                text.append(contentsOf: "\(index == 0 ? " " : ", ")\(field.name) = ".utf8)
                guard add(field) else { return false }
            }
            text.append(contentsOf: " }".utf8)
            return true
        case .float, .array, .sequence, .variant, .optional: return false
        }
    }

    private static func kind(of node: FieldNode) -> Step.Kind {
        switch node.base {
        case 2, 8: .otherBase
        case 16: node.isSigned ? .otherBase : .hexadecimal
        default: node.isSigned ? .signed : .unsigned
        }
    }

    private mutating func addNumber(_ node: FieldNode) {
        guard let enumeration = node.enumeration else { return end(Self.kind(of: node), node) }
        let first = labels.count
        let highest = enumeration.mappings.map(\.upper).filter { $0 < Self.labelLimit }.max()
        let count = highest.map { Int($0) + 1 } ?? 0
        end(.enumeration(first: first, count: count), node)
        for value in 0..<UInt64(count) {
            var line = LineBuffer()
            FieldPrinter.print(enumeration, value, node, to: &line)
            labels.append(text.count..<text.count + line.count)
            line.withBytes { text.append(contentsOf: $0) }
        }
        pendingStart = text.count
    }
}
