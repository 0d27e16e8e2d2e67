#define _GNU_SOURCE
#include "lock.h"

#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "sandbox.h"
#include "system_calls.h"

enum { SPINS = 64, ATTEMPTS_PER_SECOND = 10000 };

// Some tens of microseconds without a system call.
static void spin(void)
{
	for (int turn = 0; turn < 1000; turn++) {
#if defined(__x86_64__)
		__builtin_ia32_pause();
#else
		__asm__ volatile("" ::: "memory");
#endif
	}
}

static void pause_for_holder(int attempt)
{
	// The holder lost its processor; a thread with a real-time priority that only yields may keep it off for ever.
	const struct timespec pause = {.tv_nsec = 50 * 1000};
	if (attempt < SPINS) sched_yield();
	// libc's function would be a cancellation point where the program has none.
	else syscall(SYS_nanosleep, &pause, NULL);
}

QS_SLOW_PATH bool qs_lock_wait(struct qs_lock *lock, int seconds)
{
	int saved_errno = errno;
	bool has_lock = false;
	int attempts = seconds * ATTEMPTS_PER_SECOND;
	for (int attempt = 0; !has_lock && attempt < attempts; attempt++) {
		if (__atomic_load_n(&lock->is_given_up, __ATOMIC_RELAXED)) break;
		if (qs_thread_is_sandboxed) spin();
		else pause_for_holder(attempt);
		has_lock = !__atomic_exchange_n(&lock->is_held, true, __ATOMIC_ACQUIRE);
		// Only here: the holder may have given it back since another thread gave up.
		if (!has_lock && attempt + 1 == attempts) __atomic_store_n(&lock->is_given_up, true, __ATOMIC_RELAXED);
	}
	errno = saved_errno;
	return has_lock;
}
