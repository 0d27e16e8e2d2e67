// Clocks of the system.
#ifndef QS_SYSTEM_CLOCK_H
#define QS_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

// Reads one of the system's clocks, in nanoseconds. Takes some tens of nanoseconds.
static inline int64_t qs_clock_system(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The next whole second since `start_ns`. Work that is done about once a second is due then, so that an idle recorder
// thread wakes once a second. Programs that started at different times wake at different times.
static inline int64_t qs_clock_next_second(int64_t now_ns, int64_t start_ns)
{
	const uint64_t second_ns = 1000 * 1000 * 1000;
	return now_ns + (int64_t)(second_ns - (uint64_t)(now_ns - start_ns) % second_ns);
}

#endif
