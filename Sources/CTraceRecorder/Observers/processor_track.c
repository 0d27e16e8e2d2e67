#define _GNU_SOURCE
#include "processor_track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Gate/thread_guard.h"
#include "switch_reader.h"
#include "switch_ring.h"
#include "switch_threads.h"
#include "thread_times.h"

static struct {
	uint8_t origin;         // enum ProcessorSource
	char detail[160];
	bool is_injected;       // the injected clock has no relation to the kernel's clocks, so there is no track
	bool has_switches;      // atomic
	bool has_totals;        // there are totals, without a stream of their own
	uint32_t uncovered;     // number of threads in the detail text
	uint32_t recorder_tid;
	struct qs_stream *stream; // atomic: set while the track has one
	struct qs_stream *stopped; // the same stream between the stop and its release
} track;

static void explain(const char *reason, int error)
{
	char buffer[96];
	const char *text = error != 0 ? strerror_r(error, buffer, sizeof buffer) : "";
	snprintf(track.detail, sizeof track.detail, "%s%s%s", reason, error != 0 ? ": " : "", text);
}

static bool is_off(void)
{
	if (qs_identity.without_processors) return true;
	const char *wish = secure_getenv("QUEUESCOPE_PROCESSORS");
	return wish != NULL && strcmp(wish, "0") == 0;
}

// Chooses the source of the switches, and explains why no better source is used.
static uint8_t choose_origin(uint32_t starter_tid)
{
	if (is_off()) {
		explain("turned off by record --processors off or QUEUESCOPE_PROCESSORS=0", 0);
		return qs_processor_source_none;
	}
	int error = 0;
	if (starter_tid == 0) {
		explain("the recorder could not start its thread", 0);
	} else if ((error = qs_switch_reader_start(starter_tid, &qs_identity.processors)) != 0) {
		explain(qs_switch_ring_refused(), error);
	} else {
		return qs_processor_source_perf_events;
	}
	return qs_thread_times_exist() ? qs_processor_source_schedstat : qs_processor_source_none;
}

// Updates the detail text. Returns whether the number of threads that are not covered has grown.
static bool count_uncovered(void)
{
	uint32_t uncovered = qs_switch_threads_uncovered();
	if (uncovered <= track.uncovered) return false;
	track.uncovered = uncovered;
	const char *plural = uncovered == 1 ? "" : "s";
	snprintf(track.detail, sizeof track.detail,
		"without %u thread%s, for which the kernel has no memory (perf_event_mlock_kb, RLIMIT_MEMLOCK)", uncovered,
		plural);
	return true;
}

static void start(uint32_t starter_tid)
{
	memset(&track, 0, sizeof track);
	track.is_injected = qs_gate.clock_kind == QS_CLOCK_INJECTED;
	if (track.is_injected || qs_identity.is_joined) return;
	track.recorder_tid = starter_tid != 0 ? qs_current_tid() : 0;
	track.origin = choose_origin(starter_tid);
	if (track.origin == qs_processor_source_none) return;
	track.stream = qs_stream_make_for_kernel();
	bool has_switches = track.origin == qs_processor_source_perf_events;
	if (track.stream == NULL) {
		if (has_switches) qs_switch_reader_close();
		explain("there is no memory", 0);
		track.origin = qs_processor_source_none;
		return;
	}
	if (!has_switches) return;
	qs_switch_reader_set_stream(track.stream);
	count_uncovered();
	track.has_switches = true;
}

static void begin(void)
{
	if (track.has_switches) qs_switch_reader_begin();
}

void qs_processor_track_start_for_lttng(void)
{
	memset(&track, 0, sizeof track);
	if (qs_identity.is_joined) return;
	track.has_totals = !is_off() && qs_thread_times_exist();
	track.origin = track.has_totals ? qs_processor_source_schedstat : qs_processor_source_none;
	explain("LTTng has the switches in its kernel events: enable sched_switch", 0);
}

void qs_processor_track_record_totals(uint32_t tid)
{
	if (track.has_totals) qs_thread_times_record(tid);
}

static void record(void)
{
	if (!track.is_injected) qs_record_processor_track(track.origin, track.detail, strlen(track.detail));
}

bool qs_processor_track_thread_starts(void)
{
	return __atomic_load_n(&track.has_switches, __ATOMIC_RELAXED) && qs_switch_threads_request_scan();
}

static int64_t drain(int64_t now_ns)
{
	if (!track.has_switches) return INT64_MAX;
	int64_t due_ns = qs_switch_reader_drain(now_ns);
	if (count_uncovered()) {
		qs_thread_inside = false;
		record();
		qs_thread_inside = true;
	}
	return due_ns;
}

static void stop(void)
{
	if (track.has_switches) qs_switch_reader_stop();
	__atomic_store_n(&track.has_switches, false, __ATOMIC_RELAXED);
	if (track.stream == NULL) return;
	struct qs_stream *own = qs_thread_stream;
	track.stream->kernel_time = qs_clock_now();
	qs_thread_stream = track.stream;
	qs_thread_times_record_all(track.recorder_tid);
	qs_thread_stream = own;
	track.stopped = track.stream;
	// Threads that end read it at the same time.
	__atomic_store_n(&track.stream, NULL, __ATOMIC_RELAXED);
}

static void release_stream(void)
{
	if (track.stopped != NULL) qs_stream_give_back(track.stopped);
	track.stopped = NULL;
}

void qs_processor_track_thread_ends(void)
{
	bool is_on = __atomic_load_n(&track.stream, __ATOMIC_RELAXED) != NULL || track.has_totals;
	if (is_on && !qs_thread_is_sandboxed && qs_is_recording()) qs_thread_times_record_own();
}

static void forget(void)
{
	qs_switch_reader_forget();
	track.has_switches = false;
	track.has_totals = false;
	track.stream = NULL;
	track.stopped = NULL;
}

const struct qs_observer qs_processor_observer = {
	.start = start, .begin = begin, .tick = drain, .stop = stop, .release = release_stream, .define = record,
	.forget = forget};
