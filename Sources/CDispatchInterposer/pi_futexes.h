// Contention on priority-inheritance futexes (FUTEX_LOCK_PI, FUTEX_UNLOCK_PI), whose word contains the thread id of the
// owner. Swift's Synchronization.Mutex is such a lock.
#ifndef QS_PI_FUTEXES_H
#define QS_PI_FUTEXES_H

#include <linux/futex.h>

#include "hooks.h"

// Whether a futex operation locks or unlocks such a word. The kernel defines the word's content, so that the caller's
// library does not matter.
static inline bool qs_is_pi_futex_operation(int operation)
{
	enum { LOCK_PI2 = 13 }; // FUTEX_LOCK_PI2, since Linux 5.14
	int command = operation & FUTEX_CMD_MASK;
	return command == FUTEX_LOCK_PI || command == FUTEX_UNLOCK_PI || command == LOCK_PI2;
}

// Makes the system call with the arguments that these operations have, and records it as lock_wait and lock_acquire, or
// as lock_release. `caller` is the return address of the hook.
long qs_call_pi_futex(long lock, long operation, long value, long timeout, uintptr_t caller);

#endif
