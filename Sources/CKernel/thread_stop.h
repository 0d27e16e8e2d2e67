#ifndef QS_THREAD_STOP_H
#define QS_THREAD_STOP_H

#include <stdbool.h>
#include <stdint.h>

// CLOCK_MONOTONIC in nanoseconds.
uint64_t qs_monotonic_ns(void);

// Shortens the sleeps of this thread: the default slack of the kernel would add 50 µs to each.
void qs_sleep_exactly(void);

// Waits until a traced thread stops or ends. `*running` is the last time at which the thread was not stopped: before it
// stops, it may have to wait for a processor.
//
// Returns 0, ESRCH when the thread has ended, or ETIMEDOUT. A thread in an uninterruptible system call does not stop.
int qs_wait_for_stop(int tid, uint64_t limit_ns, int *status, uint64_t *running);

// Whether the stop was requested by PTRACE_INTERRUPT, or is a stop of the whole process. Any other stop has a signal.
bool qs_is_interruption(int status);

#endif
