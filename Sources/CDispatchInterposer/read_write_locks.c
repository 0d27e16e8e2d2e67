// Contention on read-write locks of glibc. For a lock that a thread gets at once the hook reads one word and records
// nothing:
//
//	held by a writer, or by readers    lock_wait ──── lock_acquire
//	a writer that waited, or is waited for                   lock_release, before the original
//
// Readers share the lock, so their holds are not recorded: a reader that waited records lock_release at once. A
// lock_create without a label and code precedes the first lock_wait. Waits with a time limit are not recorded.
#define _GNU_SOURCE
#include <pthread.h>

#include "callers.h"
#include "lock_sets.h"

#ifdef __GLIBC__

// Constants of glibc's read-write lock since 2.25, from its pthread_rwlock_common.c.
enum {
	WRITE_PHASE = 1,
	WRITE_LOCKED = 2,
	READER_SHIFT = 3,
	FUTEX_USED = 2,
};
static const uint32_t write_handover = 1u << 31;

// Locks for which a thread waited, and locks that are held by a writer that waited.
static struct qs_lock_set contended, held_after_wait;

// The state is read without holding the lock, so it may be outdated.
static uint32_t state_of(const pthread_rwlock_t *lock)
{
	return __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED);
}

static bool is_held_by_writer(uint32_t state)
{
	return (state & WRITE_PHASE) != 0 && (state & WRITE_LOCKED) != 0;
}

static bool blocks_reader(const pthread_rwlock_t *lock, uint32_t state)
{
	if ((state & WRITE_LOCKED) == 0) return false;
	// A writer waits for readers: another reader waits too when the lock prefers writers.
	bool prefers_writers = lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
	return (state & WRITE_PHASE) != 0 || (prefers_writers && state >> READER_SHIFT > 0);
}

static bool blocks_writer(uint32_t state)
{
	return (state & WRITE_LOCKED) != 0 || ((state & WRITE_PHASE) == 0 && state >> READER_SHIFT > 0);
}

// The thread that holds the lock as its writer; 0 when there is none.
static uint32_t writer_of(const pthread_rwlock_t *lock, uint32_t state)
{
	if (!is_held_by_writer(state)) return 0;
	return (uint32_t)__atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED);
}

// False inside the recorder, and for a thread that holds the lock as its writer: glibc returns an error.
static bool records_wait(uint32_t writer)
{
	return qs_is_recording() && !qs_thread_inside && writer != qs_current_tid();
}

// Returns the code that waits. Call before the original waits.
static uint32_t note_wait(uint64_t lock, uint32_t writer, uint32_t code)
{
	if (qs_lock_set_add(&contended, lock)) {
		qs_record_lock_create(lock, "", 0, 0, 0, qs_current_tid(), qs_lock_kind_read_write);
	}
	qs_record_lock_wait(lock, code, writer);
	return code;
}

static __attribute__((noinline)) int read_held(pthread_rwlock_t *lock, uint32_t state, uintptr_t caller)
{
	uint32_t writer = writer_of(lock, state);
	if (!records_wait(writer)) return libc_original(pthread_rwlock_rdlock)(lock);
	uint64_t id = (uint64_t)(uintptr_t)lock;
	uint32_t code = note_wait(id, writer, qs_lock_code(caller, __builtin_frame_address(0)));
	int result = libc_original(pthread_rwlock_rdlock)(lock);
	if (result == 0) {
		qs_record_lock_acquire(id, code);
		qs_record_lock_release(id);
	}
	return result;
}

static __attribute__((noinline)) int write_held(pthread_rwlock_t *lock, uint32_t state, uintptr_t caller)
{
	uint32_t writer = writer_of(lock, state);
	if (!records_wait(writer)) return libc_original(pthread_rwlock_wrlock)(lock);
	uint64_t id = (uint64_t)(uintptr_t)lock;
	uint32_t code = note_wait(id, writer, qs_lock_code(caller, __builtin_frame_address(0)));
	int result = libc_original(pthread_rwlock_wrlock)(lock);
	if (result == 0) {
		qs_record_lock_acquire(id, code);
		qs_lock_set_add(&held_after_wait, id);
	}
	return result;
}

// Recorded before the unlock, so that the next holder's lock_acquire comes later.
static __attribute__((noinline)) void note_release(pthread_rwlock_t *lock, uint32_t state)
{
	if (!qs_is_recording() || qs_thread_inside) return;
	uint64_t id = (uint64_t)(uintptr_t)lock;
	// A lock that prefers writers counts the waiting writers. Other locks only mark the futex of the writers.
	uint32_t writers = (uint32_t)__atomic_load_n(&lock->__data.__writers, __ATOMIC_RELAXED) & ~write_handover;
	uint32_t futex = (uint32_t)__atomic_load_n(&lock->__data.__writers_futex, __ATOMIC_RELAXED);
	bool is_waited_for = state >> READER_SHIFT > 0 || writers > 0 || (futex & FUTEX_USED) != 0;
	if (qs_lock_set_remove(&held_after_wait, id) || is_waited_for) qs_record_lock_release(id);
}

QS_LIBC_HOOK(int, pthread_rwlock_init, (pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes))
{
	uint64_t id = (uint64_t)(uintptr_t)lock;
	// A lock that is initialised at the address of a contended one is another lock. A flight recorder keeps every
	// lock_create, and its trace must not grow.
	bool is_reused = qs_is_recording() && !qs_thread_inside && !qs_session_is_flight_recorder() &&
		qs_lock_set_remove(&contended, id);
	if (is_reused) qs_record_lock_create(id, "", 0, 0, 0, qs_current_tid(), qs_lock_kind_exclusive);
	return libc_original(pthread_rwlock_init)(lock, attributes);
}

QS_LIBC_HOOK(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock))
{
	uint32_t state = state_of(lock);
	if (qs_likely(!blocks_reader(lock, state))) return libc_original(pthread_rwlock_rdlock)(lock);
	return read_held(lock, state, (uintptr_t)__builtin_return_address(0));
}

QS_LIBC_HOOK(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock))
{
	uint32_t state = state_of(lock);
	if (qs_likely(!blocks_writer(state))) return libc_original(pthread_rwlock_wrlock)(lock);
	return write_held(lock, state, (uintptr_t)__builtin_return_address(0));
}

QS_LIBC_HOOK(int, pthread_rwlock_unlock, (pthread_rwlock_t *lock))
{
	uint32_t state = state_of(lock);
	if (is_held_by_writer(state)) note_release(lock, state);
	return libc_original(pthread_rwlock_unlock)(lock);
}

#else

// Other C libraries do not publish the layout of their locks.
QS_LIBC_HOOK(int, pthread_rwlock_init, (pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes))
{
	return libc_original(pthread_rwlock_init)(lock, attributes);
}

QS_LIBC_HOOK(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock))
{
	return libc_original(pthread_rwlock_rdlock)(lock);
}

QS_LIBC_HOOK(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock))
{
	return libc_original(pthread_rwlock_wrlock)(lock);
}

QS_LIBC_HOOK(int, pthread_rwlock_unlock, (pthread_rwlock_t *lock))
{
	return libc_original(pthread_rwlock_unlock)(lock);
}

#endif
