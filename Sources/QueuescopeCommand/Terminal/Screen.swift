import CKernel
import Glibc
import TraceReports

/// The screen and the keyboard of a terminal, for a program that fills the whole screen.
///
/// The terminal is restored when this object is released, and on every other end of the process that can be handled.
final class Screen {
    /// An event that ends a wait.
    enum Event: Hashable {
        case key(LiveKey)
        /// The size changed, or the process continues after a stop: draw everything again.
        case needsRedraw
        /// A signal asks the process to end.
        case end(signal: Int32)
        /// The terminal is gone.
        case closed
    }

    private var decoder = KeyDecoder()
    /// The lines on the screen.
    private var drawn: [String] = []
    /// The wait for the rest of a key, in milliseconds. A terminal sends the bytes of a key at once, and a network can
    /// delay them.
    private static let keyPatience: Int32 = 50

    /// - Throws: ``CommandFailure`` when the terminal cannot be switched over.
    init() throws { try enter() }

    deinit { qs_screen_leave() }

    private func enter() throws {
        guard qs_screen_enter(STDIN_FILENO, STDOUT_FILENO) else {
            throw CommandFailure(
                .unavailable, "cannot draw on this terminal: \(String(cString: strerror(errno))). Use --once")
        }
        drawn = []
    }

    /// The size of the terminal; 80 × 24 when it is unknown.
    var size: (columns: Int, rows: Int) {
        (Terminal.width(of: STDOUT_FILENO) ?? 80, Terminal.height(of: STDOUT_FILENO) ?? 24)
    }

    /// Draws lines. Only lines that changed are written, all in one write, so that the screen does not flicker.
    ///
    /// - Parameter lines: one line per row of the terminal, without control characters except colours.
    func draw(_ lines: [String]) {
        var text = Self.changes(from: drawn, to: lines)
        drawn = lines
        guard !text.isEmpty else { return }
        text.withUTF8 { _ = FileDescriptorWriter.write(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
    }

    /// The control sequences that turn one screen into another one. Lines of an unknown screen are all written.
    static func changes(from drawn: [String], to lines: [String]) -> String {
        var text = drawn.count == lines.count ? "" : "\u{1B}[2J"
        for (row, line) in lines.enumerated() where drawn.count != lines.count || drawn[row] != line {
            // Erased first: after a character in the last column, the cursor stays on that column.
            text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)\u{1B}[0m"
        }
        return text
    }

    /// Waits for keys and signals.
    ///
    /// - Parameter milliseconds: the longest wait; nil waits without limit.
    /// - Returns: what happened, in order; empty when the time is over.
    func wait(atMost milliseconds: Int32?) throws -> [Event] {
        let limit = decoder.isPending ? min(milliseconds ?? .max, Self.keyPatience) : milliseconds ?? -1
        var descriptors = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: qs_screen_signals(), events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&descriptors, nfds_t(descriptors.count), limit)
        if ready == 0, decoder.isPending { return decoder.flush().map { .key($0) } }
        guard ready > 0 else { return [] }
        var events = try signals()
        if descriptors[0].revents != 0 { events += keys() }
        return events
    }

    private func signals() throws -> [Event] {
        var events: [Event] = []
        while case let number = qs_screen_next_signal(), number != 0 {
            switch number {
            case SIGWINCH:
                drawn = []
                events.append(.needsRedraw)
            case SIGTSTP:
                qs_screen_leave()
                raise(SIGSTOP)
                try enter()
                events.append(.needsRedraw)
            default: events.append(.end(signal: number))
            }
        }
        return events
    }

    private func keys() -> [Event] {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        // The terminal was closed: it stays readable and has no bytes.
        guard count > 0 else { return [.closed] }
        return decoder.keys(in: buffer.prefix(count)).map { .key($0) }
    }
}
