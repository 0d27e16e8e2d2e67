import Symbolication

/// Computes the expressions of unwind tables, which PLT entries, signal frames and hand-written code have.
///
/// Source: DWARF 5, section 2.5.
enum CallFrameExpression {
    /// Limits against damaged expressions.
    private static let mostOperations = 256
    private static let deepest = 64

    /// - Parameters:
    ///   - expression: its range in `bytes`.
    ///   - bytes: the bytes of the table.
    ///   - registers: the registers of the frame.
    ///   - initial: the value on the stack of the expression at its begin; nil for none.
    ///   - read: reads a word of the process.
    /// - Returns: the result; nil when it cannot be computed.
    static func value(
        of expression: Range<Int>, in bytes: UnsafeRawBufferPointer, registers: RegisterFile, initial: UInt64?,
        read: (UInt64) -> UInt64?
    ) -> UInt64? {
        var cursor = DebugCursor(bytes, at: expression.lowerBound, end: expression.upperBound)
        var stack: [UInt64] = initial.map { [$0] } ?? []
        var operations = 0
        while !cursor.isAtEnd {
            operations += 1
            guard operations <= mostOperations, stack.count <= deepest else { return nil }
            let code = cursor.read(UInt8.self)
            switch code {
            case 0x06:
                guard let address = stack.popLast(), let word = read(address) else { return nil }
                stack.append(word)
            case 0x08: stack.append(UInt64(cursor.read(UInt8.self)))
            case 0x09: stack.append(UInt64(bitPattern: Int64(cursor.read(Int8.self))))
            case 0x0A: stack.append(UInt64(cursor.read(UInt16.self)))
            case 0x0B: stack.append(UInt64(bitPattern: Int64(cursor.read(Int16.self))))
            case 0x0C: stack.append(UInt64(cursor.read(UInt32.self)))
            case 0x0D: stack.append(UInt64(bitPattern: Int64(cursor.read(Int32.self))))
            case 0x0E, 0x0F: stack.append(cursor.read(UInt64.self))
            case 0x10: stack.append(cursor.uleb())
            case 0x11: stack.append(UInt64(bitPattern: cursor.sleb()))
            case 0x12:
                guard let top = stack.last else { return nil }
                stack.append(top)
            case 0x13: if stack.popLast() == nil { return nil }
            case 0x23:
                let constant = cursor.uleb()
                guard let top = stack.popLast() else { return nil }
                stack.append(top &+ constant)
            case 0x1A, 0x1C, 0x21, 0x22, 0x24, 0x25, 0x27, 0x29...0x2E:
                guard let second = stack.popLast(), let first = stack.popLast() else { return nil }
                stack.append(binary(code, first, second))
            case 0x30...0x4F: stack.append(UInt64(code - 0x30))
            case 0x70...0x8F:
                guard let value = registers[Int(code - 0x70)] else { return nil }
                stack.append(value &+ UInt64(bitPattern: cursor.sleb()))
            case 0x96: break
            default: return nil
            }
            guard cursor.isValid else { return nil }
        }
        return stack.last
    }

    private static func binary(_ code: UInt8, _ first: UInt64, _ second: UInt64) -> UInt64 {
        let (left, right) = (Int64(bitPattern: first), Int64(bitPattern: second))
        return switch code {
        case 0x1A: first & second
        case 0x1C: first &- second
        case 0x21: first | second
        case 0x22: first &+ second
        case 0x24: second < 64 ? first << second : 0
        case 0x25: second < 64 ? first >> second : 0
        case 0x27: first ^ second
        case 0x29: left == right ? 1 : 0
        case 0x2A: left >= right ? 1 : 0
        case 0x2B: left > right ? 1 : 0
        case 0x2C: left <= right ? 1 : 0
        case 0x2D: left < right ? 1 : 0
        default: left != right ? 1 : 0
        }
    }
}
