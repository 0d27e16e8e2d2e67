/// One frame of the stack of a thread.
struct Frame {
    /// The address of the next instruction of this frame.
    let address: UInt64
    /// Whether `address` is a return address. The call instruction then precedes it.
    let isCall: Bool
    /// The registers of the frame. Registers that the unwind tables do not restore are nil.
    let registers: RegisterFile

    /// An address inside of the instruction that the frame executes.
    var lookUp: UInt64 { isCall ? address &- 1 : address }
}

/// A stack, innermost frame first.
struct CallStack {
    var frames: [Frame] = []
    /// Whether the outermost frame is the begin of the thread. Otherwise frames are missing.
    var isWhole = false
}

/// The top of a stack at one instant.
struct StackCopy {
    let begin: UInt64
    let bytes: [UInt8]

    /// The word at an address; nil outside of the copy.
    func word(at address: UInt64) -> UInt64? {
        guard address >= begin, bytes.count >= 8, address - begin <= UInt64(bytes.count - 8) else { return nil }
        return bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: Int(address - begin), as: UInt64.self))
        }
    }
}

/// Walks the stacks of a process by its unwind tables, and by frame pointers in code without tables.
final class Unwinder {
    /// The most frames of a stack. Deeper stacks are recursions.
    static let limit = 256

    private let images: ProcessImages
    private let maps: ProcessMaps
    private let memory: ProcessMemory
    private var tables: [UInt64: UnwindTable?] = [:]

    init(images: ProcessImages, maps: ProcessMaps, memory: ProcessMemory) {
        self.images = images
        self.maps = maps
        self.memory = memory
    }

    /// Walks a stack.
    ///
    /// - Parameters:
    ///   - registers: the registers of the innermost frame. The walk ends where it needs an unknown one.
    ///   - copy: a copy of the stack; nil reads the memory of the process.
    /// - Returns: the frames, innermost first.
    func stack(from registers: RegisterFile, copy: StackCopy?) -> CallStack {
        var stack = CallStack()
        var registers = registers
        var isCall = false
        let read = { [memory] (address: UInt64) in copy?.word(at: address) ?? memory.word(at: address) }
        while stack.frames.count < Self.limit {
            guard let address = registers.programCounter.map(RegisterFile.code), maps.isCode(address) else {
                // The begin of a thread has the return address 0 or an undefined one.
                stack.isWhole = (registers.programCounter ?? 0) == 0 && !stack.frames.isEmpty
                return stack
            }
            stack.frames.append(Frame(address: address, isCall: isCall, registers: registers))
            guard let step = caller(of: registers, at: isCall ? address &- 1 : address, read: read) else {
                return stack
            }
            if step.isOutermost {
                stack.isWhole = true
                return stack
            }
            // A stack grows down. A caller's frame at a lower address is damage, or a loop.
            guard let old = registers.stackPointer, let new = step.registers.stackPointer,
                new > old || !isCall && new == old
            else { return stack }
            registers = step.registers
            isCall = !step.isInterrupted
        }
        return stack
    }

    private struct Step {
        var registers = RegisterFile()
        /// Whether the caller was interrupted by a signal, so that its address is exact.
        var isInterrupted = false
        var isOutermost = false
    }

    private func caller(of registers: RegisterFile, at address: UInt64, read: (UInt64) -> UInt64?) -> Step? {
        guard let function = table(at: address)?.function(at: address) else {
            return framePointerStep(registers, at: address, read: read)
        }
        let common = function.common
        return common.bytes.withUnsafeBytes { commonBytes in
            function.entry.withUnsafeBytes { bytes in
                var rules = CallFrameRules()
                guard
                    rules.run(
                        common.instructions, of: commonBytes, from: function.begin, to: .max, initial: [:],
                        factors: common.factors)
                else { return nil }
                let initial = rules.registers
                guard
                    rules.run(
                        function.instructions, of: bytes, from: function.begin, to: address, initial: initial,
                        factors: common.factors)
                else { return nil }
                return step(rules, of: registers, in: bytes, common: common, read: read)
            }
        }
    }

    private func step(
        _ rules: CallFrameRules, of registers: RegisterFile, in bytes: UnsafeRawBufferPointer,
        common: UnwindTable.Common, read: (UInt64) -> UInt64?
    ) -> Step? {
        let frameAddress: UInt64
        switch rules.frameAddress {
        case .unknown: return nil
        case .register(let number, let offset):
            guard var base = registers[number] else { return nil }
            if number == RegisterFile.framePointer { base = RegisterFile.frame(base) }
            frameAddress = base &+ UInt64(bitPattern: offset)
        case .expression(let range):
            guard
                let value = CallFrameExpression.value(
                    of: range, in: bytes, registers: registers, initial: nil, read: read)
            else { return nil }
            frameAddress = value
        }
        var step = Step()
        for number in 0..<RegisterFile.count {
            switch rules.registers[number] {
            case .undefined: break
            case .same: step.registers[number] = registers[number]
            case .offset(let offset): step.registers[number] = read(frameAddress &+ UInt64(bitPattern: offset))
            case .valueOffset(let offset): step.registers[number] = frameAddress &+ UInt64(bitPattern: offset)
            case .register(let other): step.registers[number] = registers[other]
            case .expression(let range):
                step.registers[number] =
                    CallFrameExpression.value(
                        of: range, in: bytes, registers: registers, initial: frameAddress, read: read
                    ).flatMap(read)
            case .valueExpression(let range):
                step.registers[number] = CallFrameExpression.value(
                    of: range, in: bytes, registers: registers, initial: frameAddress, read: read)
            case nil:
                if RegisterFile.keptByFunctions.contains(number) { step.registers[number] = registers[number] }
            }
        }
        if rules.registers[RegisterFile.stackPointer] == nil {
            step.registers[RegisterFile.stackPointer] = frameAddress
        }
        if case .undefined = rules.registers[common.returnAddress] { step.isOutermost = true }
        if common.returnAddress != RegisterFile.programCounter {
            // On arm64 the return address is in a register, which a leaf function does not save.
            let isSaved = rules.registers[common.returnAddress] != nil
            let value = isSaved ? step.registers[common.returnAddress] : registers[common.returnAddress]
            step.registers[RegisterFile.programCounter] = value
        }
        step.isInterrupted = common.isSignalFrame
        return step
    }

    /// The caller by the chain of frame pointers: the caller's frame pointer and the return address are saved together.
    ///
    /// Code that cannot be read may have tables that cannot be read either. Its caller is unknown.
    private func framePointerStep(
        _ registers: RegisterFile, at address: UInt64, read: (UInt64) -> UInt64?
    ) -> Step? {
        guard memory.integer(at: address, as: UInt8.self) != nil,
            let frame = registers[RegisterFile.framePointer].map(RegisterFile.frame), frame & 7 == 0,
            let caller = read(frame), let address = read(frame &+ 8), maps.isCode(RegisterFile.code(address))
        else { return nil }
        var step = Step()
        step.registers[RegisterFile.framePointer] = caller
        step.registers[RegisterFile.programCounter] = address
        step.registers[RegisterFile.stackPointer] = frame &+ 16
        return step
    }

    private func table(at address: UInt64) -> UnwindTable? {
        guard let image = images.image(holding: address) else { return nil }
        if let known = tables[image.begin] { return known }
        let table = UnwindTable(of: image, memory: memory)
        tables[image.begin] = .some(table)
        return table
    }
}
