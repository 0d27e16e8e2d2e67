#define _GNU_SOURCE
#include "lock.h"

#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "../Gate/thread_guard.h"
#include "system_calls.h"
#include "system_clock.h"

enum {
	SPINS = 64,
	// Least attempts before a wait ends. A process that was stopped has no time left when it continues, although the
	// holder was stopped too.
	LEAST_ATTEMPTS = 100,
};

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

QS_SLOW_PATH bool qs_lock_wait(struct qs_lock *lock, int milliseconds)
{
	int saved_errno = errno;
	bool is_patient = milliseconds > QS_LOCK_MS;
	int64_t end_ns = qs_clock_system(CLOCK_MONOTONIC) + milliseconds * (int64_t)1000000;
	bool has_lock = false, is_last = false;
	for (int attempt = 0; !has_lock && !is_last; attempt++) {
		if (!is_patient && __atomic_load_n(&lock->is_given_up, __ATOMIC_RELAXED)) break;
		is_last = attempt >= LEAST_ATTEMPTS && qs_clock_system(CLOCK_MONOTONIC) >= end_ns;
		if (qs_thread_is_sandboxed) spin();
		else pause_for_holder(attempt);
		has_lock = !__atomic_exchange_n(&lock->is_held, true, __ATOMIC_ACQUIRE);
		// Only after the last attempt fails: the holder may have released the lock since another thread gave up.
		if (!has_lock && is_last) __atomic_store_n(&lock->is_given_up, true, __ATOMIC_RELAXED);
	}
	errno = saved_errno;
	return has_lock;
}
