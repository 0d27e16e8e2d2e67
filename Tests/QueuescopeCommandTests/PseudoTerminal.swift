import Foundation
import Testing

/// A terminal that nobody sees, for what is written to terminals only.
struct PseudoTerminal {
    /// Requests of Linux's terminals (`asm-generic/ioctls.h`), which are macros that Swift does not see.
    private static let setLock: UInt = 0x4004_5431
    private static let openPeer: UInt = 0x5441
    private static let setSize: UInt = 0x5414

    private let controller: Int32
    /// What a program gets as a standard stream.
    let terminal: Int32

    /// - Parameter columns: the terminal's width; 0 for one that does not say.
    /// - Throws: when there is none to be had.
    init(columns: UInt16 = 0) throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(controller >= 0)
        var isLocked: Int32 = 0
        try #require(ioctl(controller, Self.setLock, &isLocked) == 0)
        terminal = ioctl(controller, Self.openPeer, O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal, Self.setSize, &size) == 0)
    }

    /// Runs a program, and closes the terminal with it.
    ///
    /// - Parameter process: has the terminal as one of its standard streams.
    /// - Returns: its status and everything that it wrote to the terminal.
    /// - Throws: when the program cannot be started.
    func run(_ process: Process) throws -> (status: Int32, text: String) {
        defer { close(controller) }
        try process.run()
        process.endAtTheLatest()
        // Then the program has the only other end, and reading ends with it.
        close(terminal)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(controller, &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer.prefix(count)
        }
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
