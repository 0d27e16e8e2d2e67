import Foundation
import Testing

/// A pseudo terminal, for output that is written only to terminals.
struct PseudoTerminal {
    /// Requests of Linux's terminals (`asm-generic/ioctls.h`). They are macros that Swift does not import.
    private static let setLock: UInt = 0x4004_5431
    private static let openPeer: UInt = 0x5441
    private static let setSize: UInt = 0x5414

    private let controller: Int32
    /// The descriptor for a standard stream of a program.
    let terminal: Int32
    /// The modes before a program changed them.
    let initialModes: UInt32

    /// - Parameter columns: the terminal's width; 0 for an unknown width.
    /// - Throws: when no terminal is available.
    init(columns: UInt16 = 0) throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(controller >= 0)
        var isLocked: Int32 = 0
        try #require(ioctl(controller, Self.setLock, &isLocked) == 0)
        terminal = ioctl(controller, Self.openPeer, O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal, Self.setSize, &size) == 0)
        initialModes = Self.modes(of: terminal)
    }

    /// Runs a program and closes the terminal.
    ///
    /// - Parameter process: has the terminal as one of its standard streams.
    /// - Returns: the exit status and the complete output to the terminal.
    /// - Throws: when the program cannot be started.
    func run(_ process: Process) throws -> (status: Int32, text: String) {
        defer { Foundation.close(controller) }
        try process.run()
        process.endAtTheLatest()
        // The program then has the only other end, so reading ends when the program ends.
        Foundation.close(terminal)
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

    // MARK: Programs that draw and read keys

    /// Changes the width.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, Self.setSize, &size)
    }

    /// Sends the bytes of keys.
    func send(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(controller, bytes, bytes.count)
    }

    /// The bytes that arrive within some milliseconds.
    func received(within milliseconds: Int32) -> [UInt8] {
        var descriptor = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(controller, &buffer, buffer.count)
        return Array(buffer.prefix(max(count, 0)))
    }

    /// The modes of the terminal that a program with keys changes: echo, and input by lines.
    var modes: UInt32 { Self.modes(of: terminal) }

    private static func modes(of terminal: Int32) -> UInt32 {
        var modes = termios()
        tcgetattr(terminal, &modes)
        return modes.c_lflag
    }

    /// Closes both ends.
    func close() {
        Foundation.close(controller)
        Foundation.close(terminal)
    }
}
