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

    /// Waits for the next signal, and passes it on unless it says that a child process changed.
    ///
    /// Ctrl-C in a terminal reaches the program by itself, as the program is in the same process group; the kernel is
    /// the sender of such a signal, and it is not passed on.
    ///
    /// - Parameter child: the program.
    /// - Returns: whether the program may have ended.
    func wait(for child: pid_t) -> Bool {
        var information = siginfo_t()
        let received = sigwaitinfo(&signals, &information)
        if received == SIGCHLD || received < 0 { return true }
        if information.si_code != SI_KERNEL { kill(child, received) }
        return false
    }

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
