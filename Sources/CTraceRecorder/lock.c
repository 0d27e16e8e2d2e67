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
	// The holder lost its processor. A real-time thread that only yields could keep it from running forever.
	const struct timespec pause = {.tv_nsec = 50 * 1000};
	if (attempt < SPINS) sched_yield();
	// Not libc's nanosleep: it would add a cancellation point to the program.
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
		// Only after the last attempt fails: the holder may have released the lock since another thread gave up.
		if (!has_lock && attempt + 1 == attempts) __atomic_store_n(&lock->is_given_up, true, __ATOMIC_RELAXED);
	}
	errno = saved_errno;
	return has_lock;
}
