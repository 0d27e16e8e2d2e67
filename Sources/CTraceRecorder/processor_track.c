#define _GNU_SOURCE
#include "processor_track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "event_writing.h"
#include "session.h"
#include "switch_rings.h"
#include "thread_times.h"

enum {
	QUIET_PAUSE_NS = 50 * 1000 * 1000, // nothing ran since the last look
	// The largest ring then takes 800,000 records a second from a standing start: two threads that only wake each
	// other.
	LONGEST_PAUSE_NS = 20 * 1000 * 1000,
	FIRST_PAUSE_NS = 5 * 1000 * 1000,
	SHORTEST_PAUSE_NS = 1000 * 1000,
};

// What a processor's stream was last told. The kernel says a switch twice for a thread that has two events.
struct last_switch {
	uint32_t tid;
	bool in;
};

static struct {
	uint8_t origin;       // enum ProcessorSource
	char detail[160];
	bool is_injected;     // the clock has no relation to the kernel's, so there is no track
	bool has_rings;
	bool has_totals;      // without a stream of its own for them
	uint32_t pid;
	uint32_t supplier_tid;
	int64_t due_ns;
	int64_t pause_ns;
	struct qs_clock_sample sample; // at the last look
	struct qs_stream *totals;
	struct qs_stream *streams[QS_MAX_PROCESSORS];
	struct last_switch last[QS_MAX_PROCESSORS];
	bool was_full[QS_MAX_PROCESSORS]; // the ring, and nothing was read of it since
} track;

static void explain(const char *reason, int error)
{
	char buffer[96];
	const char *text = error != 0 ? strerror_r(error, buffer, sizeof buffer) : "";
	snprintf(track.detail, sizeof track.detail, "%s%s%s", reason, error != 0 ? ": " : "", text);
}

static bool make_streams(void)
{
	track.totals = qs_stream_make_for_kernel();
	bool complete = track.totals != NULL;
	for (uint32_t processor = 0; processor < qs_switch_rings_count() && complete; processor++) {
		track.streams[processor] = qs_stream_make_for_kernel();
		complete = track.streams[processor] != NULL;
	}
	return complete;
}

// Decides where the switches come from, and says why not from a better source.
static uint8_t choose_origin(uint32_t starter_tid)
{
	const char *wish = secure_getenv("QUEUESCOPE_PROCESSORS");
	if (wish != NULL && strcmp(wish, "0") == 0) {
		explain("QUEUESCOPE_PROCESSORS is 0", 0);
		return qs_processor_source_none;
	}
	int error = 0;
	if (starter_tid == 0) {
		explain("the recorder could not start its thread", 0);
	} else if ((error = qs_switch_rings_open(starter_tid)) != 0) {
		explain(qs_switch_rings_refused(), error);
	} else {
		return qs_processor_source_perf_events;
	}
	return qs_thread_times_exist() ? qs_processor_source_schedstat : qs_processor_source_none;
}

void qs_processor_track_start(uint32_t starter_tid)
{
	memset(&track, 0, sizeof track);
	track.is_injected = qs_clock_kind == QS_CLOCK_INJECTED;
	if (track.is_injected || qs_session.is_joined) return;
	track.pid = (uint32_t)getpid();
	track.supplier_tid = starter_tid != 0 ? qs_current_tid() : 0;
	track.pause_ns = FIRST_PAUSE_NS;
	track.sample = qs_clock_sample();
	track.origin = choose_origin(starter_tid);
	if (track.origin != qs_processor_source_none && !make_streams()) {
		qs_switch_rings_close();
		explain("there is no memory", 0);
		track.origin = qs_processor_source_none;
	}
	if (track.origin != qs_processor_source_perf_events) return;
	uint32_t uncovered = qs_switch_rings_uncovered();
	if (uncovered != 0) {
		snprintf(track.detail, sizeof track.detail, "without %u threads that ran before the recording", uncovered);
	}
	track.has_rings = true;
}

void qs_processor_track_start_for_lttng(void)
{
	memset(&track, 0, sizeof track);
	if (qs_session.is_joined) return;
	const char *wish = secure_getenv("QUEUESCOPE_PROCESSORS");
	track.has_totals = (wish == NULL || strcmp(wish, "0") != 0) && qs_thread_times_exist();
	track.origin = track.has_totals ? qs_processor_source_schedstat : qs_processor_source_none;
	explain("LTTng has the switches in its kernel events: enable sched_switch", 0);
}

void qs_processor_track_record_totals(uint32_t tid)
{
	if (track.has_totals) qs_thread_times_record(tid);
}

void qs_processor_track_record(void)
{
	if (!track.is_injected) qs_record_processor_track(track.origin, track.detail, strlen(track.detail));
}

// Makes the generated writers write into this stream, at this time.
static void write_into(struct qs_stream *stream, uint64_t time)
{
	stream->kernel_time = time;
	qs_thread_stream = stream;
}

static void write_record(uint32_t processor, const struct qs_switch_record *record, uint64_t time)
{
	struct qs_stream *stream = track.streams[processor];
	struct last_switch *last = &track.last[processor];
	if (record->kind == QS_SWITCH_LOST) {
		write_into(stream, time);
		qs_record_switches_lost(record->lost, 0);
		*last = (struct last_switch){0};
		return;
	}
	bool in = record->kind == QS_SWITCH_IN;
	bool is_known = last->tid == record->tid && last->in == in;
	if (record->kind == QS_SWITCH_OTHER || record->pid != track.pid || is_known) return;
	*last = (struct last_switch){.tid = record->tid, .in = in};
	write_into(stream, time);
	if (in) {
		qs_record_switch_in(record->tid, (uint16_t)(processor + 1));
	} else {
		qs_record_switch_out(record->tid, record->kind == QS_SWITCH_PREEMPTED, (uint16_t)(processor + 1));
	}
}

// From CLOCK_MONOTONIC to the trace's clock, along the line through the samples of this look and the last. The two are
// so close together that the system clock's rate is the same throughout.
static uint64_t ticks_at(int64_t time_ns, const struct qs_clock_sample *first, const struct qs_clock_sample *last)
{
	if (qs_clock_kind == QS_CLOCK_MONOTONIC) return (uint64_t)time_ns;
	int64_t elapsed_ns = last->monotonic_ns - first->monotonic_ns;
	if (elapsed_ns <= 0) return last->ticks;
	__int128 ticks = (__int128)(time_ns - first->monotonic_ns) * (int64_t)(last->ticks - first->ticks) / elapsed_ns;
	return first->ticks + (uint64_t)(int64_t)ticks;
}

// Twice as often when a ring was more than a quarter full, half as often when all were nearly empty.
static void choose_pause(uint32_t fill)
{
	uint32_t ring = qs_switch_rings_bytes();
	// A smaller ring is full sooner.
	int64_t longest = fill == 0 ? QUIET_PAUSE_NS : (int64_t)LONGEST_PAUSE_NS * ring / QS_LARGEST_RING;
	if (fill > ring / 4) {
		track.pause_ns /= 2;
	} else if (fill < ring / 16) {
		track.pause_ns *= 2;
	}
	if (track.pause_ns > longest) track.pause_ns = longest;
	if (track.pause_ns < SHORTEST_PAUSE_NS) track.pause_ns = SHORTEST_PAUSE_NS;
}

// `is_last`: the session stops.
static void drain(bool is_last)
{
	uint32_t fullest = 0;
	for (uint32_t processor = 0; processor < qs_switch_rings_count(); processor++) {
		uint32_t fill = qs_switch_ring_fill(processor);
		if (fill > fullest) fullest = fill;
	}
	// After the look, so that what was found there lies before it.
	struct qs_clock_sample sample = qs_clock_sample();
	struct qs_stream *own = qs_thread_stream;
	for (uint32_t processor = 0; processor < qs_switch_rings_count(); processor++) {
		bool is_full = qs_switch_ring_fill(processor) + QS_LONGEST_RECORD > qs_switch_rings_bytes();
		struct qs_switch_record record;
		while (qs_switch_ring_next(processor, &record)) {
			write_record(processor, &record, ticks_at(record.time_ns, &track.sample, &sample));
			track.was_full[processor] = false;
		}
		if (is_full) track.was_full[processor] = true;
		if (is_last && track.was_full[processor]) {
			// The kernel says how many records it lost with the next one that fits, of which there was none.
			write_into(track.streams[processor], sample.ticks);
			qs_record_switches_lost(1, 0);
		}
		qs_switch_ring_release(processor);
	}
	qs_thread_stream = own;
	track.sample = sample;
	choose_pause(fullest);
}

int64_t qs_processor_track_drain(int64_t now_ns)
{
	if (!track.has_rings) return INT64_MAX;
	if (now_ns >= track.due_ns) {
		drain(false);
		track.due_ns = now_ns + track.pause_ns;
	}
	return track.due_ns;
}

void qs_processor_track_stop(void)
{
	if (track.has_rings) {
		drain(true);
		qs_switch_rings_close();
		track.has_rings = false;
	}
	if (track.totals == NULL) return;
	struct qs_stream *own = qs_thread_stream;
	write_into(track.totals, qs_clock_now());
	qs_thread_times_record_all(track.supplier_tid);
	qs_thread_stream = own;
	// Threads that end look at it meanwhile.
	__atomic_store_n(&track.totals, NULL, __ATOMIC_RELAXED);
}

void qs_processor_track_thread_ends(void)
{
	bool is_on = __atomic_load_n(&track.totals, __ATOMIC_RELAXED) != NULL || track.has_totals;
	if (is_on && qs_is_recording()) qs_thread_times_record_own();
}

void qs_processor_track_forget(void)
{
	qs_switch_rings_forget();
	track.has_rings = false;
	track.has_totals = false;
	track.totals = NULL;
}
