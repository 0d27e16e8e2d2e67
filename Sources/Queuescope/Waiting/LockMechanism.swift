/// What makes a lock exclude: the part of `TracedLock` that its fairness decides.
protocol LockMechanism: AnyObject, Sendable {
    /// Takes the lock if nobody holds it, and returns whether it did.
    func lockIfFree() -> Bool
    /// Takes the lock; waits while another thread holds it.
    func lock()
    /// Gives the lock back. Only by the thread that holds it.
    func unlock()
}
