// Locks of the recorder. All waits have a time limit: the holder may be stopped for good by a garbage collector or a
// debugger, or it never returns because a signal handler jumped out of the code that it interrupted.
//
// Callers set qs_thread_inside before they take a lock and clear it after they release it. The signal fences keep that
// order, so that a signal handler of the holder never waits for the lock.
//
// These are not pthread mutexes, because the mutexes of programs are hooked.
#ifndef QS_LOCK_H
#define QS_LOCK_H

#include <stdbool.h>

#include "slow_path.h"

struct qs_lock {
	bool is_held;     // atomic
	bool is_given_up; // atomic: until the holder releases it, threads do not wait, except patient ones
};

enum {
	// Longest wait of a program thread, which then continues without what the lock guards.
	QS_LOCK_MS = 10,
	// Longest wait of a thread that stops a session, for a definition in progress.
	QS_STOP_LOCK_MS = 1000,
	// Longest wait of a thread that starts or stops a session, for another start or stop.
	QS_PATIENT_LOCK_MS = 10 * 1000,
};

// Waits for a lock that is held. Returns false when the lock was not released. No cancellation point.
QS_SLOW_PATH bool qs_lock_wait(struct qs_lock *lock, int milliseconds);

// Returns false when the lock is not available within this time. The holder must not call it, not even in a signal
// handler.
static inline bool qs_lock_take_within(struct qs_lock *lock, int milliseconds)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(!__atomic_exchange_n(&lock->is_held, true, __ATOMIC_ACQUIRE), 1)) return true;
	return qs_lock_wait(lock, milliseconds);
}

static inline bool qs_lock_take(struct qs_lock *lock)
{
	return qs_lock_take_within(lock, QS_LOCK_MS);
}

// For the lock that is held during a session's start or stop.
static inline bool qs_lock_take_patiently(struct qs_lock *lock)
{
	return qs_lock_take_within(lock, QS_PATIENT_LOCK_MS);
}

static inline void qs_lock_give_back(struct qs_lock *lock)
{
	if (__builtin_expect(__atomic_load_n(&lock->is_given_up, __ATOMIC_RELAXED), 0))
		__atomic_store_n(&lock->is_given_up, false, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->is_held, false, __ATOMIC_RELEASE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#endif
