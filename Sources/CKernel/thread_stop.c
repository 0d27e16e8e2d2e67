#define _GNU_SOURCE
#include "thread_stop.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

// Time between two looks at a thread that has to stop. A sleeping thread preempts others when it wakes, which keeps the
// stop short on a busy machine; a thread that spins or yields does not.
static const long look_ns = 20000;
// The event of a stop by PTRACE_INTERRUPT or by a group stop. glibc before 2.26 does not declare it.
static const int event_stop = 128;

uint64_t qs_monotonic_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void qs_sleep_exactly(void)
{
	prctl(PR_SET_TIMERSLACK, 1);
}

int qs_wait_for_stop(int tid, uint64_t limit_ns, int *status, uint64_t *running)
{
	uint64_t begin = qs_monotonic_ns();
	for (;;) {
		*running = qs_monotonic_ns();
		pid_t found = waitpid(tid, status, __WALL | WNOHANG);
		if (found == tid) return WIFSTOPPED(*status) ? 0 : ESRCH;
		if (found < 0 && errno != EINTR) return errno;
		if (*running - begin > limit_ns) return ETIMEDOUT;
		nanosleep(&(struct timespec){.tv_nsec = look_ns}, NULL);
	}
}

bool qs_is_interruption(int status)
{
	return status >> 16 == event_stop;
}
