import Glibc

/// The signals that this process holds back and passes on while a program runs in its foreground.
///
/// The signals stay blocked until ``release()``, so that the trace is complete before a signal can end this process:
/// `timeout` signals its child first and then its whole process group, so the second signal may arrive after the
/// program has ended.
final class ForegroundSignals {
    /// Signals that ask a program for something; SIGKILL and SIGSTOP cannot be passed on.
    private static let forwarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    private var signals = sigset_t()
    /// The mask that this process was started with. The program gets the same one.
    private(set) var mask = sigset_t()
    private let childHandler: __sighandler_t?
    private var isHeld = true

    /// Blocks the signals.
    init() {
        sigemptyset(&signals)
        for signal in Self.forwarded + [SIGCHLD] { sigaddset(&signals, signal) }
        // An ignored SIGCHLD would discard the exit status. The handler is set before the program starts, so the
        // program does not inherit an ignored SIGCHLD.
        childHandler = signal(SIGCHLD, SIG_DFL)
        pthread_sigmask(SIG_BLOCK, &signals, &mask)
    }

    deinit { release() }

    /// The reason why a wait ended.
    enum Event {
        /// The program may have ended.
        case childChanged
        /// A signal was passed on.
        case forwarded
        /// The time is over.
        case timedOut
    }

    /// Waits for the next signal, and passes it on unless it reports a change of a child process.
    ///
    /// Ctrl-C in a terminal reaches the program directly, because the program is in the same process group. The kernel
    /// is the sender of such a signal, and it is not passed on.
    ///
    /// - Parameters:
    ///   - child: the program.
    ///   - time: the longest wait in nanoseconds; nil waits without limit.
    func wait(for child: pid_t, atMost time: UInt64?) -> Event {
        var information = siginfo_t()
        let received: Int32
        if let time {
            var limit = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
            received = sigtimedwait(&signals, &information, &limit)
            if received < 0, errno == EAGAIN { return .timedOut }
        } else {
            received = sigwaitinfo(&signals, &information)
        }
        if received == SIGCHLD || received < 0 { return .childChanged }
        if information.si_code != SI_KERNEL { kill(child, received) }
        return .forwarded
    }

    /// Leaves the signals blocked, for a process that is about to end: a late signal for the program must not change
    /// the exit status of this process.
    func keepUntilExit() { isHeld = false }

    /// Discards the signals that arrived for the program after its end, and restores the mask.
    func release() {
        guard isHeld else { return }
        isHeld = false
        var none = timespec(tv_sec: 0, tv_nsec: 0)
        while sigtimedwait(&signals, nil, &none) > 0 {}
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        _ = signal(SIGCHLD, childHandler)
    }
}
