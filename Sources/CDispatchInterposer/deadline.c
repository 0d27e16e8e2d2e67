#include "deadline.h"

#include <time.h>

static const uint64_t not_uptime = 1ull << 63;
static const uint64_t wall = 1ull << 62;
static const uint64_t wall_now = ~1ull;

static uint64_t now(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t until(uint64_t due, clockid_t clock)
{
	uint64_t time = now(clock);
	return due > time ? due - time : 0;
}

uint64_t qs_delay_until(uint64_t when)
{
	if (when == QS_TIME_NOW || when == wall_now) return 0;
	if (when == QS_TIME_FOREVER) return UINT64_MAX;
	if ((when & not_uptime) == 0) return until(when, CLOCK_MONOTONIC);
	if ((when & wall) == 0) return until(when & ~not_uptime, CLOCK_BOOTTIME);
	return until(-when, CLOCK_REALTIME);
}
