#include "thread_maker.h"

#include "../System/system_clock.h"
#include "CTraceRecorder.h"

static __thread struct {
	int64_t begin_ns; // CLOCK_MONOTONIC: the time of the stamp
	uint32_t tid;     // 0: unknown
} maker __attribute__((tls_model("initial-exec")));

static uint32_t microseconds(int64_t time_ns)
{
	return (uint32_t)(time_ns / 1000);
}

uint64_t qs_thread_maker_stamp(void)
{
	return (uint64_t)qs_current_tid() << 32 | microseconds(qs_clock_system(CLOCK_MONOTONIC));
}

void qs_thread_maker_set(uint64_t stamp)
{
	int64_t now_ns = qs_clock_system(CLOCK_MONOTONIC);
	// The stamp has the low bits of the time. The difference is short.
	uint32_t delay = microseconds(now_ns) - (uint32_t)stamp;
	maker.begin_ns = now_ns - (int64_t)delay * 1000;
	maker.tid = (uint32_t)(stamp >> 32);
}

uint32_t qs_thread_maker(uint64_t *age_ns)
{
	*age_ns = maker.tid == 0 ? 0 : (uint64_t)(qs_clock_system(CLOCK_MONOTONIC) - maker.begin_ns);
	return maker.tid;
}

void qs_thread_maker_forget(void)
{
	maker.tid = 0;
}
