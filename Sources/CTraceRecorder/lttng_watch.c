// Watch thread: follows LTTng's sessions, starts and stops recording with them, and repeats the definitions.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event_writing.h"
#include "identity.h"
#include "images.h"
#include "lttng.h"
#include "recorder_thread.h"
#include "session.h"
#include "thread_guard.h"

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
	// A thread reports its written bytes in steps of this size.
	NOTE_BYTES = 16 * 1024,
};

static struct {
	pthread_t thread;
	bool is_running;
	uint32_t requests;      // atomic, futex
	bool is_stopping;       // atomic
	uint32_t has_ended;     // atomic, futex: 1 after the last check
	bool wants_statedump;   // atomic
	uint64_t sessions;      // qs_lttng_sessions() at the last check
	int64_t period_ns;      // 0: definitions only on request
	int64_t due_ns;
	int64_t rested_ns;      // earliest time of the next statedump
	bool has_events;        // atomic: events since the last statedump
	uint64_t written;       // atomic: bytes, in steps of NOTE_BYTES
	uint64_t due_bytes;     // atomic: value of `written` at which the next statedump is due
	struct qs_stream stream; // for events of the watch thread
} watch;

static void wake(void)
{
	__atomic_fetch_add(&watch.requests, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &watch.requests, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// Runs on a thread of LTTng that holds LTTng's locks.
static void statedump_requested(void)
{
	__atomic_store_n(&watch.wants_statedump, true, __ATOMIC_RELEASE);
	wake();
}

void qs_lttng_watch_note(size_t size)
{
	static __thread size_t noted __attribute__((tls_model("initial-exec")));
	// Load first: all threads share this line, so an unconditional store would be expensive.
	if (!__atomic_load_n(&watch.has_events, __ATOMIC_RELAXED)) __atomic_store_n(&watch.has_events, true, __ATOMIC_RELAXED);
	noted += size;
	if (noted < NOTE_BYTES) return;
	uint64_t before = __atomic_fetch_add(&watch.written, noted, __ATOMIC_RELAXED);
	uint64_t due = __atomic_load_n(&watch.due_bytes, __ATOMIC_RELAXED);
	if (before < due && before + noted >= due) wake();
	noted = 0;
}

static void set_due(int64_t begin, uint64_t size)
{
	watch.rested_ns = begin + (qs_clock_system(CLOCK_MONOTONIC) - begin) * LEAST_REST;
	watch.due_ns = watch.period_ns == 0 ? INT64_MAX : begin + watch.period_ns;
	uint64_t least = size * LEAST_TRAFFIC;
	uint64_t traffic = least > STATEDUMP_BYTES ? least : STATEDUMP_BYTES;
	uint64_t written = __atomic_load_n(&watch.written, __ATOMIC_RELAXED);
	__atomic_store_n(&watch.due_bytes, watch.period_ns == 0 ? UINT64_MAX : written + traffic, __ATOMIC_RELAXED);
	__atomic_store_n(&watch.has_events, false, __ATOMIC_RELAXED);
}

static void dump(int64_t begin)
{
	uint64_t before = __atomic_load_n(&watch.written, __ATOMIC_RELAXED);
	qs_images_take_request();
	qs_lttng_statedump();
	set_due(begin, __atomic_load_n(&watch.written, __ATOMIC_RELAXED) - before);
}

static bool is_due(int64_t now)
{
	if (now < watch.rested_ns || !__atomic_load_n(&watch.has_events, __ATOMIC_RELAXED)) return false;
	return now >= watch.due_ns
		|| __atomic_load_n(&watch.written, __ATOMIC_RELAXED) >= __atomic_load_n(&watch.due_bytes, __ATOMIC_RELAXED);
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
		if (records) qs_session_stop();
		return;
	}
	int64_t now = qs_clock_system(CLOCK_MONOTONIC);
	if (!records) {
		if (qs_session_start_for_lttng()) set_due(now, 0);
	} else if (is_asked || is_new || is_due(now)) {
		dump(now);
	} else if (qs_images_take_request()) {
		qs_images_record();
	}
}

static void *watch_loop(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "queuescope");
	watch.stream.epoch = QS_NO_EPOCH;
	if (qs_stream_set_stage(&watch.stream)) qs_thread_stream = &watch.stream;
	const struct timespec pause = {.tv_nsec = CHECK_INTERVAL_NS};
	for (;;) {
		uint32_t requests = __atomic_load_n(&watch.requests, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&watch.is_stopping, __ATOMIC_ACQUIRE)) break;
		check();
		syscall(SYS_futex, &watch.requests, FUTEX_WAIT_PRIVATE, requests, &pause, NULL, 0);
	}
	__atomic_store_n(&watch.has_ended, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &watch.has_ended, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return NULL;
}

void qs_lttng_watch_start(void)
{
	if (watch.is_running) return;
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
		int64_t rest_ns = end_ns - qs_clock_system(CLOCK_MONOTONIC);
		if (rest_ns <= 0) return false;
		const struct timespec rest = {.tv_nsec = rest_ns};
		syscall(SYS_futex, &watch.has_ended, FUTEX_WAIT_PRIVATE, 0, &rest, NULL, 0);
	}
	return true;
}

void qs_lttng_watch_stop(void)
{
	if (!watch.is_running || qs_thread_inside) return;
	__atomic_store_n(&watch.is_stopping, true, __ATOMIC_RELEASE);
	wake();
	if (wait_for_end()) pthread_join(watch.thread, NULL);
	else pthread_detach(watch.thread);
	watch.is_running = false;
}

void qs_lttng_watch_forget(void)
{
	watch.is_running = false;
}
