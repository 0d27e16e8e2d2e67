import Symbolication

/// How the registers of a caller are restored at one instruction, as `.eh_frame` states it.
///
/// Source: DWARF 5, section 6.4, and the Linux Standard Base, "Exception Frames".
struct CallFrameRules {
    /// The location of the value that a register had in the caller.
    enum Rule {
        /// The caller's value is unknown.
        case undefined
        /// The function did not change the register.
        case same
        /// At this distance from the canonical frame address.
        case offset(Int64)
        /// The value is this distance from the canonical frame address.
        case valueOffset(Int64)
        case register(Int)
        /// At the address that the expression computes.
        case expression(Range<Int>)
        /// The expression computes the value.
        case valueExpression(Range<Int>)
    }

    /// The address of the caller's frame, which the other rules refer to.
    enum FrameAddress {
        case unknown
        case register(Int, offset: Int64)
        case expression(Range<Int>)
    }

    /// The part of a common information entry that the instructions need.
    struct Factors {
        let code: UInt64
        let data: Int64
    }

    var frameAddress = FrameAddress.unknown
    var registers: [Int: Rule] = [:]

    /// The most nested states that are remembered; a limit against damaged tables.
    private static let deepest = 64

    /// Runs the instructions of a table up to an address.
    ///
    /// - Parameters:
    ///   - instructions: their range in `bytes`.
    ///   - bytes: the bytes of the table. Expressions are ranges in them.
    ///   - begin: the address of the first instruction of the function.
    ///   - target: the address whose rules are wanted. `.max` for all instructions.
    ///   - initial: the rules at the begin of the function, which an instruction can restore.
    ///   - factors: the factors of the common information entry.
    /// - Returns: false when the instructions are damaged or unknown.
    mutating func run(
        _ instructions: Range<Int>, of bytes: UnsafeRawBufferPointer, from begin: UInt64, to target: UInt64,
        initial: [Int: Rule], factors: Factors
    ) -> Bool {
        var cursor = DebugCursor(bytes, at: instructions.lowerBound, end: instructions.upperBound)
        var location = begin
        var saved: [(FrameAddress, [Int: Rule])] = []
        func expression(_ cursor: inout DebugCursor) -> Range<Int> {
            let size = cursor.uleb()
            let place = cursor.position
            cursor.skip(size)
            return place..<cursor.position
        }
        func register(_ cursor: inout DebugCursor) -> Int { Int(truncatingIfNeeded: cursor.uleb() & 0xFFFF) }
        func scaled(_ number: UInt64) -> Int64 { Int64(bitPattern: number) &* factors.data }
        while !cursor.isAtEnd {
            let code = cursor.read(UInt8.self)
            let low = Int(code & 0x3F)
            var advance: UInt64?
            switch (code & 0xC0, code) {
            case (0x40, _): advance = UInt64(low)
            case (0x80, _): registers[low] = .offset(scaled(cursor.uleb()))
            case (0xC0, _): registers[low] = initial[low]
            case (_, 0x00): break
            case (_, 0x02): advance = UInt64(cursor.read(UInt8.self))
            case (_, 0x03): advance = UInt64(cursor.read(UInt16.self))
            case (_, 0x04): advance = UInt64(cursor.read(UInt32.self))
            case (_, 0x05):
                let number = register(&cursor)
                registers[number] = .offset(scaled(cursor.uleb()))
            case (_, 0x06):
                let number = register(&cursor)
                registers[number] = initial[number]
            case (_, 0x07): registers[register(&cursor)] = .undefined
            case (_, 0x08): registers[register(&cursor)] = .same
            case (_, 0x09):
                let number = register(&cursor)
                registers[number] = .register(register(&cursor))
            case (_, 0x0A):
                guard saved.count < Self.deepest else { return false }
                saved.append((frameAddress, registers))
            case (_, 0x0B):
                guard let state = saved.popLast() else { return false }
                (frameAddress, registers) = state
            case (_, 0x0C):
                let number = register(&cursor)
                frameAddress = .register(number, offset: Int64(truncatingIfNeeded: cursor.uleb()))
            case (_, 0x0D):
                let number = register(&cursor)
                guard case .register(_, let offset) = frameAddress else { return false }
                frameAddress = .register(number, offset: offset)
            case (_, 0x0E):
                guard case .register(let number, _) = frameAddress else { return false }
                frameAddress = .register(number, offset: Int64(truncatingIfNeeded: cursor.uleb()))
            case (_, 0x0F): frameAddress = .expression(expression(&cursor))
            case (_, 0x10):
                let number = register(&cursor)
                registers[number] = .expression(expression(&cursor))
            case (_, 0x11):
                let number = register(&cursor)
                registers[number] = .offset(cursor.sleb() &* factors.data)
            case (_, 0x12):
                let number = register(&cursor)
                frameAddress = .register(number, offset: cursor.sleb() &* factors.data)
            case (_, 0x13):
                guard case .register(let number, _) = frameAddress else { return false }
                frameAddress = .register(number, offset: cursor.sleb() &* factors.data)
            case (_, 0x14):
                let number = register(&cursor)
                registers[number] = .valueOffset(scaled(cursor.uleb()))
            case (_, 0x15):
                let number = register(&cursor)
                registers[number] = .valueOffset(cursor.sleb() &* factors.data)
            case (_, 0x16):
                let number = register(&cursor)
                registers[number] = .valueExpression(expression(&cursor))
            case (_, 0x2D): break  // On arm64: the return address is authenticated from here on.
            case (_, 0x2E): _ = cursor.uleb()  // Size of the arguments.
            default: return false
            }
            guard cursor.isValid else { return false }
            if let advance {
                location &+= advance &* factors.code
                if location > target { return true }
            }
        }
        return true
    }
}
