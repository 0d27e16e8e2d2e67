#include "lttng_traffic.h"

#include "../System/futex.h"

// A thread reports its written bytes in steps of this size.
enum { NOTE_BYTES = 16 * 1024 };

static struct {
	uint32_t requests;  // atomic, futex: counts wake-ups of the watch thread
	bool has_events;    // atomic: events since the last statedump
	uint64_t written;   // atomic: bytes, in steps of NOTE_BYTES
	uint64_t due_bytes; // atomic: value of `written` at which the next statedump is due
} traffic;

void qs_lttng_watch_wake(void)
{
	__atomic_fetch_add(&traffic.requests, 1, __ATOMIC_RELEASE);
	qs_futex_wake(&traffic.requests);
}

uint32_t qs_lttng_watch_requests(void)
{
	return __atomic_load_n(&traffic.requests, __ATOMIC_ACQUIRE);
}

void qs_lttng_watch_sleep(uint32_t requests, int64_t until_ns)
{
	qs_futex_wait(&traffic.requests, requests, until_ns);
}

void qs_lttng_traffic_note(size_t size)
{
	static __thread size_t noted __attribute__((tls_model("initial-exec")));
	// Load first: all threads share this line, so an unconditional store would be expensive.
	if (!qs_lttng_traffic_has_events()) __atomic_store_n(&traffic.has_events, true, __ATOMIC_RELAXED);
	noted += size;
	if (noted < NOTE_BYTES) return;
	uint64_t before = __atomic_fetch_add(&traffic.written, noted, __ATOMIC_RELAXED);
	uint64_t due = __atomic_load_n(&traffic.due_bytes, __ATOMIC_RELAXED);
	if (before < due && before + noted >= due) qs_lttng_watch_wake();
	noted = 0;
}

uint64_t qs_lttng_traffic_bytes(void)
{
	return __atomic_load_n(&traffic.written, __ATOMIC_RELAXED);
}

void qs_lttng_traffic_begin(uint64_t due_bytes)
{
	__atomic_store_n(&traffic.due_bytes, due_bytes, __ATOMIC_RELAXED);
	__atomic_store_n(&traffic.has_events, false, __ATOMIC_RELAXED);
}

bool qs_lttng_traffic_has_events(void)
{
	return __atomic_load_n(&traffic.has_events, __ATOMIC_RELAXED);
}

bool qs_lttng_traffic_is_due(void)
{
	return qs_lttng_traffic_bytes() >= __atomic_load_n(&traffic.due_bytes, __ATOMIC_RELAXED);
}
