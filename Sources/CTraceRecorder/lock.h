// The recorder's locks: nobody waits for one without end. Its holder may be stopped for good, by a collector or a
// debugger, or gone, as a signal handler jumped out of what it interrupted.
//
// Not pthread's: programs' mutexes are hooked.
#ifndef QS_LOCK_H
#define QS_LOCK_H

#include <stdbool.h>

#include "slow_path.h"

struct qs_lock {
	bool is_held;     // atomic
	bool is_given_up; // atomic: nobody waits until the holder gives it back
};

// Waits for a lock that is held, about a second or as many. False when it cannot be had. No cancellation point.
QS_SLOW_PATH bool qs_lock_wait(struct qs_lock *lock, int seconds);

// False when the lock cannot be had. A thread that holds it must not ask for it, nor a signal handler on it.
static inline bool qs_lock_take(struct qs_lock *lock)
{
	if (__builtin_expect(!__atomic_exchange_n(&lock->is_held, true, __ATOMIC_ACQUIRE), 1)) return true;
	return qs_lock_wait(lock, 1);
}

// For a lock that may be held while a session starts or stops.
static inline bool qs_lock_take_patiently(struct qs_lock *lock)
{
	return !__atomic_exchange_n(&lock->is_held, true, __ATOMIC_ACQUIRE) || qs_lock_wait(lock, 10);
}

static inline void qs_lock_give_back(struct qs_lock *lock)
{
	if (__builtin_expect(__atomic_load_n(&lock->is_given_up, __ATOMIC_RELAXED), 0))
		__atomic_store_n(&lock->is_given_up, false, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->is_held, false, __ATOMIC_RELEASE);
}

#endif
