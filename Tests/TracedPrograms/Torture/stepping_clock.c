// A preloaded library: the wall clock jumps one hour ahead and back while the program runs.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { HOUR = 3600, MILLISECONDS_BETWEEN_STEPS = 3 };

static time_t offset(void)
{
	struct timespec now;
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return now.tv_nsec / 1000000 / MILLISECONDS_BETWEEN_STEPS % 3 * HOUR - HOUR;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = (int)syscall(SYS_clock_gettime, clock, time);
	if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += offset();
	return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
	(void)zone;
	struct timespec now;
	if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
	*time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
	return 0;
}
