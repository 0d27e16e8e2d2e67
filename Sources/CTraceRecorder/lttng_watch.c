// A thread of its own follows LTTng's sessions: it starts and stops recording with them, and writes definitions again.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event_writing.h"
#include "lttng.h"
#include "recorder_thread.h"
#include "session.h"

// LTTng says when a session starts; that one stopped, or that an event was enabled later, shows in the tracepoints.
static const int64_t LOOK_EVERY_NS = 200 * 1000 * 1000;
// A rotation, or what an overwritten buffer loses, shows nowhere in the process.
static const unsigned long STATEDUMP_SECONDS = 5;
// The definitions of a program with very many queues take at most a hundredth of a processor.
enum { LEAST_REST = 100 };

static struct {
	pthread_t thread;
	bool is_running;
	uint32_t requests;      // atomic, futex
	bool is_stopping;       // atomic
	bool wants_statedump;   // atomic
	uint64_t sessions;      // as they were at the last look
	int64_t period_ns;      // 0: no definitions but on request
	int64_t due_ns;
	struct qs_stream stream; // for what no thread of the program recorded
} watch;

static int64_t now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void wake(void)
{
	__atomic_fetch_add(&watch.requests, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &watch.requests, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// On a thread of LTTng's, which holds its locks.
static void lttng_dumps(void)
{
	__atomic_store_n(&watch.wants_statedump, true, __ATOMIC_RELEASE);
	wake();
}

static void dump(int64_t begin)
{
	__atomic_store_n(&qs_session.wants_images, false, __ATOMIC_RELAXED);
	qs_lttng_statedump();
	int64_t rest = (now_ns() - begin) * LEAST_REST;
	watch.due_ns = watch.period_ns == 0 ? INT64_MAX : begin + (rest > watch.period_ns ? rest : watch.period_ns);
}

static void look(void)
{
	bool is_asked = __atomic_exchange_n(&watch.wants_statedump, false, __ATOMIC_ACQUIRE);
	uint64_t sessions = qs_lttng_sessions();
	bool is_new = sessions != watch.sessions;
	watch.sessions = sessions;
	bool records = qs_is_recording();
	if (records && qs_session.lttng == NULL) return; // the program itself has started a session of ours
	if (!qs_lttng_is_wanted()) {
		if (records) qs_session_stop();
		return;
	}
	int64_t now = now_ns();
	if (!records) {
		if (qs_session_start_for_lttng()) watch.due_ns = watch.period_ns == 0 ? INT64_MAX : now + watch.period_ns;
	} else if (is_asked || is_new || now >= watch.due_ns) {
		dump(now);
	} else if (__atomic_exchange_n(&qs_session.wants_images, false, __ATOMIC_ACQUIRE)) {
		qs_images_record();
	}
}

static void *watch_loop(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "queuescope");
	watch.stream.epoch = QS_NO_EPOCH;
	if (qs_stream_set_stage(&watch.stream)) qs_thread_stream = &watch.stream;
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};
	for (;;) {
		uint32_t requests = __atomic_load_n(&watch.requests, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&watch.is_stopping, __ATOMIC_ACQUIRE)) return NULL;
		look();
		syscall(SYS_futex, &watch.requests, FUTEX_WAIT_PRIVATE, requests, &pause, NULL, 0);
	}
}

void qs_lttng_watch_start(void)
{
	if (watch.is_running) return;
	const char *seconds = secure_getenv("QUEUESCOPE_STATEDUMP");
	char *end = NULL;
	double wish = seconds != NULL ? strtod(seconds, &end) : 0;
	bool is_wish = end != NULL && end != seconds && *end == 0 && wish >= 0 && wish < 1e6;
	watch.period_ns = is_wish ? (int64_t)(wish * 1e9) : (int64_t)STATEDUMP_SECONDS * 1000000000;
	watch.due_ns = watch.period_ns == 0 ? INT64_MAX : now_ns() + watch.period_ns;
	watch.sessions = qs_lttng_sessions();
	watch.is_stopping = false;
	qs_lttng_hear_of_statedumps(lttng_dumps);
	watch.is_running = qs_recorder_thread_start(&watch.thread, watch_loop, NULL);
}

void qs_lttng_watch_stop(void)
{
	if (!watch.is_running || qs_thread_inside) return;
	__atomic_store_n(&watch.is_stopping, true, __ATOMIC_RELEASE);
	wake();
	pthread_join(watch.thread, NULL);
	watch.is_running = false;
}

void qs_lttng_watch_forget(void)
{
	watch.is_running = false;
}
