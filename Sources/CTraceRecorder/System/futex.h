// Waits for a change of a 32-bit word, and wake-ups, within this process.
#ifndef QS_FUTEX_H
#define QS_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "system_calls.h"

// Waits while the word has the value `seen`, until a wake-up or this time of CLOCK_MONOTONIC, in nanoseconds; INT64_MAX
// is no limit. May return earlier.
static inline void qs_futex_wait(uint32_t *word, uint32_t seen, int64_t until_ns)
{
	struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
	syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, seen, until_ns == INT64_MAX ? NULL : &until, NULL,
		FUTEX_BITSET_MATCH_ANY);
}

// Wakes one waiting thread.
static inline void qs_futex_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// Wakes all waiting threads.
static inline void qs_futex_wake_all(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

#endif
