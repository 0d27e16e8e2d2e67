// The end of a process that records with LTTng, without LTTng: prints "ok" when the thread that calls exit does not
// wait for the loader's lock, which another thread never releases.
//
//	watch thread    check ── records the new images: waits for the lock …
//	main thread               exit: stops the watch thread ── ends the session ── end
#define _GNU_SOURCE
#include "../../../Sources/CTraceRecorder/Gate/gate.c"
#include "../../../Sources/CTraceRecorder/Gate/thread_guard.c"
#include "../../../Sources/CTraceRecorder/LTTng/lttng_traffic.c"
#include "../../../Sources/CTraceRecorder/LTTng/lttng_watch.c"
#include "../../../Sources/CTraceRecorder/Session/session_end.c"
#include "../../../Sources/CTraceRecorder/System/lock.c"
#include "../../../Sources/CTraceRecorder/System/recorder_thread.c"

#include <stdlib.h>

struct qs_identity qs_identity;
struct qs_session_control qs_session_control;
struct qs_lock qs_definitions_lock;
__thread struct qs_stream *qs_thread_stream __attribute__((tls_model("initial-exec")));

static uint32_t is_in_loader; // atomic, futex
static bool is_wanted = true; // atomic: an image is to be recorded

// MARK: The loader's lock

bool qs_images_are_wanted(void)
{
	return __atomic_load_n(&is_wanted, __ATOMIC_RELAXED);
}

bool qs_images_take_request(void)
{
	return __atomic_load_n(&is_wanted, __ATOMIC_RELAXED);
}

void qs_images_record(void)
{
	__atomic_store_n(&is_in_loader, 1, __ATOMIC_RELEASE);
	qs_futex_wake(&is_in_loader);
	for (;;) pause();
}

// MARK: A session of LTTng

static const struct qs_lttng_port port;

static bool start_session(void)
{
	return true;
}

static uint64_t stop_no_session(void)
{
	return 0;
}

static void write_no_definitions(void) {}

static const struct qs_lttng_control session = {
	.start = start_session, .stop = stop_no_session, .statedump = write_no_definitions};

bool qs_lttng_is_wanted(void)
{
	return true;
}

uint64_t qs_lttng_sessions(void)
{
	return 1;
}

void qs_lttng_hear_of_statedumps(void (*function)(void))
{
	(void)function;
}

bool qs_stream_set_stage(struct qs_stream *stream)
{
	(void)stream;
	return false;
}

// MARK: Parts of the recorder that a session of LTTng does not use

bool qs_recorder_leave_to_parent(void)
{
	return false;
}

void qs_writers_refuse(void)
{
	__atomic_store_n(&qs_gate.epoch, 0, __ATOMIC_SEQ_CST);
}

bool qs_writers_wait(int milliseconds)
{
	(void)milliseconds;
	return true;
}

bool qs_service_stop(void)
{
	return true;
}

uint64_t qs_session_discarded(void)
{
	return 0;
}

void qs_service_record_images(void) {}
void qs_clock_record_sync(void) {}
void qs_record_recording_stop(void) {}
void qs_budget_record_stop(void) {}
void qs_session_hooks_end(void) {}

void qs_arena_close(bool is_abandoned)
{
	(void)is_abandoned;
}

int main(void)
{
	alarm(60); // ends a process that waits
	qs_gate.epoch = 1;
	qs_identity.lttng = &port;
	qs_lttng_watch_start(&session);
	while (__atomic_load_n(&is_in_loader, __ATOMIC_ACQUIRE) == 0) qs_futex_wait(&is_in_loader, 0, INT64_MAX);
	qs_lttng_watch_stop();
	qs_session_end();
	puts(qs_is_recording() ? "the session has not ended" : "ok");
	fflush(stdout);
	_exit(0);
}
