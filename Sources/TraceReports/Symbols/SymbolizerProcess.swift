import Dispatch
import Glibc

/// A running `llvm-symbolizer`. It answers each input line with one output line, and keeps the images open.
final class SymbolizerProcess {
    /// Milliseconds without an answer after which the tool is ended. The debug information of a large program takes
    /// seconds.
    private static let patience: Int32 = 120_000

    private let child: pid_t
    /// One socket for questions and answers. A write after the tool has ended raises no signal, unlike a pipe.
    private var socket: Int32
    /// The tool did not answer in time. A new process would not do better.
    private(set) var isSilent = false
    var hasEnded: Bool { socket < 0 }
    /// Number of questions whose answers are ignored.
    private var ignored = 0

    /// Starts the tool, which loads in the background; nil when it cannot be started.
    init?(_ tool: String) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        let arguments = ["--output-style=JSON", "--demangle", "--inlines"]
        let child = ToolRun.start(tool, arguments, input: ends[1], output: ends[1], errors: nil)
        close(ends[1])
        guard let child else {
            close(ends[0])
            return nil
        }
        self.child = child
        socket = ends[0]
    }

    deinit { end() }

    /// Asks a question and ignores the answer.
    func load(_ question: String) {
        guard socket >= 0 else { return }
        var question = question
        let sent = question.withUTF8 { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
        if sent == question.utf8.count { ignored += 1 } else { end() }
    }

    /// Asks questions, one per line, and waits for the answers.
    ///
    /// - Returns: the answers to the first questions. There are fewer than questions when the tool ended or does not
    ///   answer.
    func ask(_ questions: [String]) -> [[UInt8]] {
        let text = Array(questions.joined().utf8)
        var (sent, answers): (Int, [[UInt8]]) = (0, [])
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        let expected = ignored + questions.count
        while answers.count < expected, socket >= 0 {
            let events = sent < text.count ? POLLIN | POLLOUT : POLLIN
            var request = pollfd(fd: socket, events: Int16(events), revents: 0)
            let count = poll(&request, 1, Self.patience)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isSilent = true
                end()
                break
            }
            if Int32(request.revents) & POLLOUT != 0, sent < text.count {
                let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
                sent += max(0, text.withUnsafeBytes { send(socket, $0.baseAddress! + sent, text.count - sent, flags) })
            }
            guard Int32(request.revents) & ~POLLOUT != 0 else { continue }
            let length = read(socket, &piece, piece.count)
            if length < 0, errno == EINTR { continue }
            guard length > 0 else {
                end()
                break
            }
            for byte in piece[..<length] {
                if byte == UInt8(ascii: "\n") {
                    answers.append(line)
                    line.removeAll(keepingCapacity: true)
                } else {
                    line.append(byte)
                }
            }
        }
        // A surplus answer would be assigned to the next question.
        if answers.count > expected || !line.isEmpty { end() }
        answers.removeFirst(min(ignored, answers.count))
        ignored = 0
        return answers
    }

    /// Kills the tool. It has no state to save, and an orderly end would take longer.
    private func end() {
        guard socket >= 0 else { return }
        close(socket)
        socket = -1
        kill(child, SIGKILL)
        // Wait for the process in the background, because the kernel takes some time to free its memory.
        let child = child
        DispatchQueue.global().async {
            while waitpid(child, nil, 0) < 0, errno == EINTR {}
        }
    }
}
