/// The registers of a thread in one frame, by their DWARF numbers. A register without a value is unknown.
struct RegisterFile: Equatable {
    #if arch(arm64)
        static let count = 33
        static let stackPointer = 31
        static let framePointer = 29
        static let programCounter = 32
        /// The registers that a function keeps for its caller.
        static let keptByFunctions = Array(19...29)
    #else
        static let count = 17
        static let stackPointer = 7
        static let framePointer = 6
        static let programCounter = 16
        static let keptByFunctions = [3, 6, 12, 13, 14, 15]
    #endif

    private var values: [UInt64?]

    init(_ values: [UInt64?] = []) {
        self.values = Array(values.prefix(Self.count)) + Array(repeating: nil, count: max(0, Self.count - values.count))
    }

    subscript(register: Int) -> UInt64? {
        get { values.indices.contains(register) ? values[register] : nil }
        set { if values.indices.contains(register) { values[register] = newValue } }
    }

    var stackPointer: UInt64? { self[Self.stackPointer] }
    var programCounter: UInt64? { self[Self.programCounter] }

    /// The address without the bits that authenticate a pointer on arm64.
    static func code(_ address: UInt64) -> UInt64 {
        #if arch(arm64)
            address & 0x0000_FFFF_FFFF_FFFF
        #else
            address
        #endif
    }

    /// The frame pointer without bit 60, with which Swift marks the frames of async functions.
    static func frame(_ value: UInt64) -> UInt64 { value & ~(1 << 60) }
}
