import CTraceRecorder
import Synchronization

/// The name of a lock in traces, and the events of the lock.
///
/// A recording describes the lock before the first event of the lock, so locks need no registry: a lock that is not
/// used costs a recording nothing.
@usableFromInline
struct LockIdentity: ~Copyable, Sendable {
    let label: String
    private let isFair: Bool
    private let creation: CallSite
    private let id = qs_new_object()
    /// The definitions generation that has the description of the lock; 0 for none.
    private let described = Atomic<UInt32>(0)

    @usableFromInline
    init(label: String, isFair: Bool, creation: CallSite) {
        self.label = label
        self.isFair = isFair
        self.creation = creation
    }

    /// Records that this thread begins to wait for the lock.
    @usableFromInline
    @inline(never)
    borrowing func recordWait(_ site: CallSite) {
        describe()
        qs_record_lock_wait(id, site.code, 0)
    }

    /// Records that this thread has the lock.
    @usableFromInline
    @inline(never)
    borrowing func recordAcquisition(_ site: CallSite) {
        describe()
        qs_record_lock_acquire(id, site.code)
    }

    /// Records that this thread is about to release the lock. Call it while the lock is held: otherwise the acquisition
    /// by another thread could be recorded first.
    @usableFromInline
    @inline(never)
    borrowing func recordRelease() { qs_record_lock_release(id) }

    /// Two threads may both write the description. Analysis then reads the same description twice.
    private borrowing func describe() {
        let generation = qs_definitions_number()
        guard described.load(ordering: .relaxed) != generation else { return }
        label.withCChars {
            qs_record_lock_create(
                id, $0.baseAddress, $0.count, isFair ? 1 : 0, creation.code, qs_current_tid(),
                qs_lock_kind_exclusive.field)
        }
        described.store(generation, ordering: .relaxed)
    }
}
