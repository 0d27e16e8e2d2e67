#define _GNU_SOURCE
#include "service.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "../Definitions/images.h"
#include "../Drain/chunk_supply.h"
#include "../Drain/copier.h"
#include "../Drain/generations.h"
#include "../Drain/memory_ring.h"
#include "../Drain/metadata.h"
#include "../Drain/retention.h"
#include "../Drain/trace_files.h"
#include "../Events/arena.h"
#include "../Events/identity.h"
#include "../Events/recorder.h"
#include "../Events/stream.h"
#include "../Events/writers.h"
#include "../Gate/thread_guard.h"
#include "../System/futex.h"
#include "../System/recorder_thread.h"
#include "CTraceRecorder.h"
#include "late_start.h"
#include "main_thread_end.h"
#include "observers.h"
#include "session_control.h"
#include "session_definitions.h"
#include "session_hooks.h"

static const int64_t MICROSECOND = 1000, MILLISECOND = 1000 * 1000;

enum {
	// Pause of the copier after a run that copied more than a small chunk. Otherwise the next run is at the next whole
	// second. Threads wake the recorder thread when chunks become scarce.
	BUSY_PAUSE_MS = 100,
	// Shortest pause between two copies of partly filled chunks, for each stream. A copy takes some microseconds, so
	// this is about one percent of a processor.
	PARTIAL_PAUSE_US = 500,
	// Times at which the calibration is written again, in case the program is killed: early, because the first one is
	// rough, and once more.
	REFINE_AFTER_MS = 20,
	REFINE_AGAIN_AFTER_MS = 250,
	STOP_TIMEOUT_MS = 10 * 1000,
	// Longest wait of a program thread while the loader's lock is not available.
	LOADER_TIMEOUT_MS = 500,
	STOP_SIGNAL_TIMEOUT_MS = 50,
	// Longest wait for threads that are stopped within an event.
	ABANDON_WAIT_MS = 1000,
	// Old traces that even the shortest session removes, if there are as many.
	LEAST_REMOVED = 2,
};

static struct {
	bool is_stopping;               // atomic
	bool wants_stop_signal;         // atomic
	uint32_t is_stop_signal_open;   // atomic, futex: 1 when SIGPROF is unblocked
	bool is_in_loader;              // atomic: it holds the loader's lock, or waits for it
	uint32_t is_ready;              // atomic, futex: 1 when the thread is ready
	uint32_t has_finished;          // atomic, futex: 1 when the files are complete
	uint32_t flushes_wanted;        // atomic: counts flush requests
	uint32_t flushes_done;          // atomic, futex: the last request that was completed
	bool syncs;                     // atomic: the flush includes fsync
	uint32_t images_wanted;         // atomic: counts requests to record new images
	uint32_t images_done;           // atomic, futex: the last request that was completed
	uint32_t starter_tid;
} service;

// MARK: The thread

static void refine_metadata(struct qs_extent extent)
{
	qs_metadata_rewrite(qs_clock_calibrate(qs_identity.started, qs_clock_sample()), extent);
}

// When a program crashes, Swift's runtime stops all its threads by this signal.
static void unblock_stop_signal(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	if (__atomic_exchange_n(&service.is_stop_signal_open, 1, __ATOMIC_RELEASE) != 0) return;
	qs_futex_wake_all(&service.is_stop_signal_open);
}

// Runs here and not on the program's threads: a program thread may hold the loader's lock and wait for another thread.
static void record_new_images(void)
{
	uint32_t wanted = __atomic_load_n(&service.images_wanted, __ATOMIC_ACQUIRE);
	if (qs_images_take_request()) {
		__atomic_store_n(&service.is_in_loader, true, __ATOMIC_RELAXED);
		qs_thread_inside = false;
		qs_images_record();
		qs_thread_inside = true;
		__atomic_store_n(&service.is_in_loader, false, __ATOMIC_RELAXED);
	}
	if (__atomic_load_n(&service.images_done, __ATOMIC_RELAXED) == wanted) return;
	__atomic_store_n(&service.images_done, wanted, __ATOMIC_RELEASE);
	qs_futex_wake_all(&service.images_done);
}

static int64_t tick_hooks(int64_t now)
{
	__atomic_store_n(&service.is_in_loader, true, __ATOMIC_RELAXED);
	qs_thread_inside = false;
	int64_t due = qs_session_hooks_tick(now);
	qs_thread_inside = true;
	__atomic_store_n(&service.is_in_loader, false, __ATOMIC_RELAXED);
	return due;
}

static void answer_flushes(uint32_t wanted)
{
	if (__atomic_load_n(&service.flushes_done, __ATOMIC_RELAXED) == wanted) return;
	if (__atomic_exchange_n(&service.syncs, false, __ATOMIC_ACQUIRE)) qs_trace_files_sync();
	__atomic_store_n(&service.flushes_done, wanted, __ATOMIC_RELEASE);
	qs_futex_wake_all(&service.flushes_done);
}

static void renew_definitions(void)
{
	if (!qs_generation_begin()) return;
	if (!qs_identity.is_joined) qs_images_request();
	record_new_images();
	qs_generation_fill(qs_session_define_again);
}

static int64_t earliest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

// Times of the next runs of the copier.
struct copying {
	int64_t due_ns;
	int64_t partial_due_ns;
};

static void copy(struct copying *copying, int64_t now, bool is_asked)
{
	uint32_t wanted = __atomic_load_n(&service.flushes_wanted, __ATOMIC_ACQUIRE);
	bool is_flush = wanted != __atomic_load_n(&service.flushes_done, __ATOMIC_RELAXED);
	if (now < copying->due_ns && !is_asked && !is_flush) return;
	// Partly filled chunks are copied every second, and less often from 2,000 streams on. This limits the loss after a
	// crash of the machine, and the delay for readers.
	bool with_partial = is_flush || now >= copying->partial_due_ns;
	enum qs_copier_scope scope = with_partial ? QS_COPY_ALL_CHUNKS : QS_COPY_FULL_CHUNKS;
	if (is_flush) scope = QS_COPY_FOR_READER;
	uint64_t copied = qs_copier_run(scope);
	qs_chunk_supply_refill();
	renew_definitions();
	int64_t next_second = qs_clock_next_second(now, qs_identity.started.monotonic_ns);
	int64_t pause_ns = (int64_t)qs_streams_count() * PARTIAL_PAUSE_US * MICROSECOND;
	if (with_partial) copying->partial_due_ns = latest(next_second, now + pause_ns);
	copying->due_ns = copied > QS_SMALL_CHUNK ? earliest(now + BUSY_PAUSE_MS * MILLISECOND, next_second) : next_second;
	answer_flushes(wanted);
}

// Stops recording for good in a process that continues.
static void abandon_session(void)
{
	qs_session_control.has_unfinished_session = true;
	qs_writers_refuse();
	qs_writers_wait(ABANDON_WAIT_MS);
	qs_recorder_forget();
	qs_main_thread_wake_successor();
}

static void finish(void)
{
	qs_observers_stop();
	bool is_complete = qs_copier_finish();
	refine_metadata(is_complete ? qs_copier_extent() : (struct qs_extent){0});
	qs_trace_files_close(is_complete);
	// Last, because a stream of the free list has the file name of a thread's stream.
	qs_observers_release();
}

static void *serve(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, QS_RECORDER_NAME);
	qs_thread_inside = true; // records no events of its own
	uint32_t *announced = qs_identity.second_recorder;
	if (announced != NULL) __atomic_store_n(announced, qs_current_tid(), __ATOMIC_RELAXED);
	qs_trace_files_open(qs_identity.directory);
	qs_observers_start(service.starter_tid);
	qs_trace_files_make();
	qs_memory_ring_write_time();
	qs_observers_begin();
	__atomic_store_n(&service.is_ready, 1, __ATOMIC_RELEASE); // pairs with the load in wait_until_ready
	qs_futex_wake(&service.is_ready);
	int64_t start = qs_clock_system(CLOCK_MONOTONIC);
	int64_t refine_time = start + REFINE_AFTER_MS * MILLISECOND;
	struct copying copying = {.partial_due_ns = qs_clock_next_second(start, qs_identity.started.monotonic_ns)};
	uint32_t seen = 0, removed = 0;
	enum qs_program_end end = QS_PROGRAM_GOES_ON;
	for (;;) {
		uint32_t requests = qs_recorder_requests();
		if (__atomic_load_n(&service.is_stopping, __ATOMIC_ACQUIRE)) break;
		int64_t now = qs_clock_system(CLOCK_MONOTONIC);
		int64_t end_time;
		end = qs_main_thread_watch(now, &end_time);
		if (end != QS_PROGRAM_GOES_ON) {
			abandon_session();
			break;
		}
		if (now >= refine_time) {
			refine_metadata((struct qs_extent){0});
			int64_t again = start + REFINE_AGAIN_AFTER_MS * MILLISECOND;
			refine_time = refine_time < again ? again : INT64_MAX;
		}
		int64_t observer_time = qs_observers_tick(now);
		int64_t hooks_time = tick_hooks(now);
		if (__atomic_exchange_n(&service.wants_stop_signal, false, __ATOMIC_ACQUIRE)) unblock_stop_signal();
		record_new_images();
		copy(&copying, now, requests != seen);
		seen = requests;
		// One old trace at a time, so that the copier runs in between.
		removed += 1;
		if (qs_retention_run()) continue;
		int64_t due = earliest(earliest(copying.due_ns, end_time), earliest(observer_time, hooks_time));
		due = earliest(due, refine_time);
		qs_recorder_sleep(requests, due);
	}
	finish();
	if (announced != NULL) __atomic_store_n(announced, 0, __ATOMIC_RELAXED);
	// Each session adds one trace. Also after a session that ends at once, the number of traces decreases.
	while (removed++ < LEAST_REMOVED && qs_retention_run()) {}
	if (end == QS_PROGRAM_IS_GONE) qs_main_thread_leave_status();
	__atomic_store_n(&service.has_finished, 1, __ATOMIC_RELEASE);
	qs_futex_wake(&service.has_finished);
	return NULL;
}

// MARK: Calls from other threads

// Threads that are created after this are in the processor track.
static void wait_until_ready(void)
{
	while (__atomic_load_n(&service.is_ready, __ATOMIC_ACQUIRE) == 0) qs_futex_wait(&service.is_ready, 0, INT64_MAX);
}

bool qs_service_start(uint64_t (*stop)(void))
{
	service.is_stopping = false;
	service.is_ready = 0;
	service.has_finished = 0;
	service.is_stop_signal_open = 0;
	service.starter_tid = qs_starter_tid();
	qs_main_thread_begin_session(stop);
	bool is_running = qs_recorder_start(serve);
	if (is_running) {
		wait_until_ready();
		// Not for a second recorder: both would call exit.
		if (!qs_identity.is_joined) qs_main_thread_prepare_end();
	}
	return is_running;
}

bool qs_service_stop(void)
{
	__atomic_store_n(&service.is_stopping, true, __ATOMIC_RELEASE);
	qs_recorder_wake();
	int64_t now = qs_clock_system(CLOCK_MONOTONIC);
	int64_t end = now + STOP_TIMEOUT_MS * MILLISECOND, loader_end = now + LOADER_TIMEOUT_MS * MILLISECOND;
	bool has_finished;
	while (!(has_finished = __atomic_load_n(&service.has_finished, __ATOMIC_ACQUIRE) != 0) && now < end) {
		// The loader's lock may not be released before this thread returns. `queuescope record` recovers the rest.
		if (now >= loader_end && __atomic_load_n(&service.is_in_loader, __ATOMIC_RELAXED)) break;
		qs_futex_wait(&service.has_finished, 0, now < loader_end ? loader_end : end);
		now = qs_clock_system(CLOCK_MONOTONIC);
	}
	if (has_finished) qs_recorder_join();
	qs_recorder_forget();
	qs_main_thread_wake_successor();
	return has_finished;
}

// Waits until the request with this number is completed. Returns false after a timeout.
static bool wait_for_request(uint32_t *last_done, uint32_t number, long milliseconds)
{
	qs_recorder_wake();
	int64_t end = qs_clock_system(CLOCK_MONOTONIC) + milliseconds * MILLISECOND;
	for (;;) {
		uint32_t done = __atomic_load_n(last_done, __ATOMIC_ACQUIRE);
		if ((int32_t)(done - number) >= 0) return true;
		if (qs_clock_system(CLOCK_MONOTONIC) >= end) return false;
		qs_futex_wait(last_done, done, end);
	}
}

void qs_service_record_images(void)
{
	if (!qs_recorder_is_running()) return;
	uint32_t number = __atomic_add_fetch(&service.images_wanted, 1, __ATOMIC_RELEASE);
	wait_for_request(&service.images_done, number, LOADER_TIMEOUT_MS);
}

bool qs_service_flush(bool to_disk, long milliseconds)
{
	if (!qs_recorder_is_running()) return true;
	if (to_disk) __atomic_store_n(&service.syncs, true, __ATOMIC_RELEASE);
	uint32_t number = __atomic_add_fetch(&service.flushes_wanted, 1, __ATOMIC_RELEASE);
	return wait_for_request(&service.flushes_done, number, milliseconds);
}

void qs_service_let_stop_signal_through(void)
{
	if (!qs_recorder_is_running()) return;
	int saved_errno = errno;
	__atomic_store_n(&service.wants_stop_signal, true, __ATOMIC_RELEASE);
	wait_for_request(&service.is_stop_signal_open, 1, STOP_SIGNAL_TIMEOUT_MS);
	errno = saved_errno;
}
