// Watch thread: follows LTTng's sessions, starts and stops recording with them, and repeats the definitions.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "../Definitions/images.h"
#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Gate/thread_guard.h"
#include "../System/futex.h"
#include "../System/recorder_thread.h"
#include "lttng.h"
#include "lttng_traffic.h"

// LTTng calls back when a session starts. The stop of a session, or an event that is enabled later, is visible only in
// the tracepoints.
static const int64_t CHECK_INTERVAL_NS = 200 * 1000 * 1000;
// The process cannot observe rotations or overwritten buffers. Therefore the definitions are repeated after 5 s with
// events, or after 256 KiB of events (1/8 of LTTng's default buffer per processor).
static const unsigned long STATEDUMP_SECONDS = 5;
static const uint64_t STATEDUMP_BYTES = 256 * 1024;
// Longest wait for the thread at the end of the process. It may be in a long statedump, or wait for the loader's lock,
// which the thread that calls exit may hold.
static const int64_t STOP_TIMEOUT_NS = 500 * 1000 * 1000;
enum {
	// Statedumps of a program with very many queues take at most a hundredth of a processor,
	LEAST_REST = 100,
	// and a twentieth of the trace.
	LEAST_TRAFFIC = 20,
};

static struct {
	pthread_t thread;
	const struct qs_lttng_control *control;
	bool is_running;
	bool is_stopping;       // atomic
	uint32_t has_ended;     // atomic, futex: 1 after the last check
	bool wants_statedump;   // atomic
	uint64_t sessions;      // qs_lttng_sessions() at the last check
	int64_t period_ns;      // 0: definitions only on request
	int64_t due_ns;
	int64_t rested_ns;      // earliest time of the next statedump
	struct qs_stream stream; // for events of the watch thread
} watch;

// Runs on a thread of LTTng that holds LTTng's locks.
static void statedump_requested(void)
{
	__atomic_store_n(&watch.wants_statedump, true, __ATOMIC_RELEASE);
	qs_lttng_watch_wake();
}

static void set_due(int64_t begin, uint64_t size)
{
	watch.rested_ns = begin + (qs_clock_system(CLOCK_MONOTONIC) - begin) * LEAST_REST;
	watch.due_ns = watch.period_ns == 0 ? INT64_MAX : begin + watch.period_ns;
	uint64_t least = size * LEAST_TRAFFIC;
	uint64_t traffic = least > STATEDUMP_BYTES ? least : STATEDUMP_BYTES;
	qs_lttng_traffic_begin(watch.period_ns == 0 ? UINT64_MAX : qs_lttng_traffic_bytes() + traffic);
}

static void dump(int64_t begin)
{
	uint64_t before = qs_lttng_traffic_bytes();
	qs_images_take_request();
	watch.control->statedump();
	set_due(begin, qs_lttng_traffic_bytes() - before);
}

static bool is_due(int64_t now)
{
	if (now < watch.rested_ns || !qs_lttng_traffic_has_events()) return false;
	return now >= watch.due_ns || qs_lttng_traffic_is_due();
}

static void check(void)
{
	bool is_asked = __atomic_exchange_n(&watch.wants_statedump, false, __ATOMIC_ACQUIRE);
	uint64_t sessions = qs_lttng_sessions();
	bool is_new = sessions != watch.sessions;
	watch.sessions = sessions;
	bool records = qs_is_recording();
	if (records && qs_identity.lttng == NULL) return; // the program itself has started a session with files
	if (!qs_lttng_is_wanted()) {
		if (records) watch.control->stop();
		return;
	}
	int64_t now = qs_clock_system(CLOCK_MONOTONIC);
	if (!records) {
		if (watch.control->start()) set_due(now, 0);
	} else if (is_asked || is_new || is_due(now)) {
		dump(now);
	} else if (qs_images_take_request()) {
		qs_images_record();
	}
}

static void *watch_loop(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, QS_RECORDER_NAME);
	watch.stream.epoch = QS_NO_EPOCH;
	if (qs_stream_set_stage(&watch.stream)) qs_thread_stream = &watch.stream;
	for (;;) {
		uint32_t requests = qs_lttng_watch_requests();
		if (__atomic_load_n(&watch.is_stopping, __ATOMIC_ACQUIRE)) break;
		check();
		qs_lttng_watch_sleep(requests, qs_clock_system(CLOCK_MONOTONIC) + CHECK_INTERVAL_NS);
	}
	// Here, and not on the thread that calls exit, because only the wait for this thread has a limit.
	if (qs_is_recording() && qs_identity.lttng != NULL && qs_images_take_request()) qs_images_record();
	__atomic_store_n(&watch.has_ended, 1, __ATOMIC_RELEASE);
	qs_futex_wake(&watch.has_ended);
	return NULL;
}

void qs_lttng_watch_start(const struct qs_lttng_control *control)
{
	if (watch.is_running) return;
	watch.control = control;
	const char *seconds = secure_getenv("QUEUESCOPE_STATEDUMP");
	char *end = NULL;
	double wish = seconds != NULL ? strtod(seconds, &end) : 0;
	bool is_wish = end != NULL && end != seconds && *end == 0 && wish >= 0 && wish < 1e6;
	watch.period_ns = is_wish ? (int64_t)(wish * 1e9) : (int64_t)STATEDUMP_SECONDS * 1000000000;
	set_due(qs_clock_system(CLOCK_MONOTONIC), 0);
	watch.sessions = qs_lttng_sessions();
	watch.is_stopping = false;
	watch.has_ended = 0;
	qs_lttng_hear_of_statedumps(statedump_requested);
	watch.is_running = qs_recorder_thread_start(&watch.thread, QS_SMALL_STACK, watch_loop, NULL);
}

// Waits until the thread has ended, for at most STOP_TIMEOUT_NS. Returns false after a timeout.
static bool wait_for_end(void)
{
	int64_t end_ns = qs_clock_system(CLOCK_MONOTONIC) + STOP_TIMEOUT_NS;
	while (__atomic_load_n(&watch.has_ended, __ATOMIC_ACQUIRE) == 0) {
		if (qs_clock_system(CLOCK_MONOTONIC) >= end_ns) return false;
		qs_futex_wait(&watch.has_ended, 0, end_ns);
	}
	return true;
}

void qs_lttng_watch_stop(void)
{
	if (!watch.is_running || qs_thread_inside) return;
	__atomic_store_n(&watch.is_stopping, true, __ATOMIC_RELEASE);
	qs_lttng_watch_wake();
	if (wait_for_end()) pthread_join(watch.thread, NULL);
	else pthread_detach(watch.thread);
	watch.is_running = false;
}

void qs_lttng_watch_forget(void)
{
	watch.is_running = false;
}
