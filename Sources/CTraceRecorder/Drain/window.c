#include "window.h"

#include "../Events/identity.h"
#include "../Events/stream.h"
#include "memory_ring.h"
#include "overwriting.h"
#include "quiet_threads.h"
#include "stream_copy.h"
#include "trace_size.h"

static int64_t window_ns; // 0: none

void qs_window_start(uint64_t length_ns)
{
	window_ns = length_ns <= INT64_MAX ? (int64_t)length_ns : INT64_MAX;
}

// Begin of the window in ticks of the trace's clock, 0 when it is before the session.
static uint64_t window_begin(void)
{
	if (window_ns == 0) return 0;
	struct qs_clock_sample now = qs_clock_sample();
	if (now.monotonic_ns - qs_identity.started.monotonic_ns <= window_ns) return 0;
	return qs_clock_ticks_at(now.monotonic_ns - window_ns, &qs_identity.started, &now);
}

void qs_window_apply(void)
{
	uint64_t begin = qs_arena_is_ring() ? window_begin() : 0;
	if (begin == 0) return;
	__atomic_store_n(&qs_arena_head()->window_begin, begin, __ATOMIC_RELEASE);
	struct qs_quiet_scan scan = {.streams = 0};
	while (qs_quiet_threads_close(&scan, begin - 1)) {}
	qs_memory_ring_free_before(begin);
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		struct qs_stream *stream = qs_stream_at(index);
		uint64_t removed = qs_overwrite_until(stream, begin);
		if (removed == 0) continue;
		qs_trace_size_remove_events(removed);
		qs_stream_copy_commit(stream);
	}
}
