/// The registers of a thread in a core file, and the system call in which it was blocked.
///
/// The kernel ends the blocked calls of all threads before it writes the core. The call of a thread follows from its
/// registers: a call that was ended has an error number as its result with which the kernel would restart it.
struct CoreRegisters {
    let file: RegisterFile
    /// In the order of `struct user_regs_struct`.
    private let words: [UInt64]

    /// Errors of a call that was ended: EINTR, and the internal numbers ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND and
    /// ERESTART_RESTARTBLOCK.
    private static let interruptions: Set<Int64> = [-4, -512, -513, -514, -516]

    #if arch(arm64)
        private static let count = 34
        private static let number = 8
        private static let instruction: [UInt8] = [0x01, 0x00, 0x00, 0xD4]
    #else
        private static let count = 27
        /// The place of each register by its DWARF number.
        private static let places = [10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16]
        private static let result = 10
        private static let number = 15
        private static let arguments = [14, 13, 12, 7, 9, 8]
    #endif

    /// Reads the registers at an offset of a note; nil when they are not in it.
    init?(_ content: [UInt8], at offset: Int) {
        let words = (0..<Self.count).compactMap { content.integer(at: offset + $0 * 8, as: UInt64.self) }
        guard words.count == Self.count else { return nil }
        self.words = words
        #if arch(arm64)
            // x0 to x30, the stack pointer, the program counter.
            file = RegisterFile(words.prefix(RegisterFile.count).map { $0 })
        #else
            file = RegisterFile(Self.places.map { words[$0] })
        #endif
    }

    /// The system call in which the thread was blocked; nil when it ran.
    ///
    /// - Parameter memory: the memory of the process, which contains the instruction of the call.
    func blockedCall(in memory: ProcessMemory) -> SystemCall? {
        guard let stackPointer = file.stackPointer, let programCounter = file.programCounter else { return nil }
        #if arch(arm64)
            // The kernel sets the registers back to the call instruction, if it would restart the call. Without a
            // restart, the first argument is lost.
            let size = UInt64(Self.instruction.count)
            let isSetBack = memory.bytes(at: programCounter, count: Int(size)) == Self.instruction
            guard
                isSetBack
                    || Self.interruptions.contains(Int64(bitPattern: words[0]))
                        && memory.bytes(at: programCounter &- size, count: Int(size)) == Self.instruction
            else { return nil }
            let arguments = (isSetBack ? [words[0]] : [0]) + words[1..<6]
            let number = Int(truncatingIfNeeded: words[Self.number])
        #else
            // The number is negative unless the kernel was entered by a system call.
            let number = Int(Int64(bitPattern: words[Self.number]))
            guard number >= 0, Self.interruptions.contains(Int64(bitPattern: words[Self.result])) else { return nil }
            let arguments = Self.arguments.map { words[$0] }
        #endif
        return SystemCall(
            number: number, arguments: arguments, stackPointer: stackPointer, programCounter: programCounter)
    }
}
