#ifndef QS_DEADLINE_H
#define QS_DEADLINE_H

#include <stdint.h>

#define QS_TIME_NOW 0ull
#define QS_TIME_FOREVER (~0ull)

// Nanoseconds from now until a dispatch_time_t; 0 when it has passed, UINT64_MAX for DISPATCH_TIME_FOREVER. Source:
// libdispatch's time.c. Without the highest bit it counts on CLOCK_MONOTONIC; with the two highest bits it is the
// negative of a time of CLOCK_REALTIME; with the highest alone it counts on CLOCK_BOOTTIME.
uint64_t qs_delay_until(uint64_t when);

#endif
