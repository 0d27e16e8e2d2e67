#define _GNU_SOURCE
#include "switch_reader.h"

#include <string.h>
#include <time.h>

#include "../Events/clock.h"
#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "blocked_calls.h"
#include "initial_off_cpu.h"
#include "switch_budget.h"
#include "switch_heap.h"
#include "switch_ring.h"
#include "switch_threads.h"

enum {
	LONGEST_PAUSE_NS = 20 * 1000 * 1000, // while there are records
	QUIET_PAUSE_NS = 1000 * 1000 * 1000, // without records
	FIRST_PAUSE_NS = 5 * 1000 * 1000,
	SHORTEST_PAUSE_NS = 1000 * 1000,
	// The same for each thread: a drain visits all of them, and may take 2 % of a processor for it.
	SHORTEST_PAUSE_OF_THREAD_NS = 5 * 1000,
};

static struct {
	struct qs_stream *stream;
	struct qs_switch_heap heap;
	int64_t due_ns;
	int64_t pause_ns;
	bool is_watching;       // the next event of any thread ends the pause
	struct qs_clock_sample sample; // at the last drain
	struct qs_switch_budget budget;
	bool has_new_reading;   // no visit of the blocked threads since the last drain
	int64_t visiting_ns;    // processor time of these visits that is not charged to the budget yet
} reader;

static int64_t next_second(int64_t now_ns)
{
	return qs_clock_next_second(now_ns, qs_identity.started.monotonic_ns);
}

// MARK: Events

// Sets the time of the following events of the stream.
static void set_time(uint64_t time)
{
	reader.stream->kernel_time = time;
}

static void write_record(const struct qs_switch_thread *thread, const struct qs_switch_record *record, uint64_t time)
{
	uint16_t processor = (uint16_t)(record->processor + 1);
	set_time(time);
	switch (record->kind) {
	case QS_SWITCH_IN: qs_record_switch_in(thread->tid, processor); break;
	case QS_SWITCH_BLOCKED: qs_record_switch_out(thread->tid, 0, processor); break;
	case QS_SWITCH_PREEMPTED: qs_record_switch_out(thread->tid, 1, processor); break;
	case QS_SWITCH_LOST: qs_record_switches_lost(record->lost, thread->tid); break;
	case QS_SWITCH_OTHER: break;
	}
}

// MARK: Merging the rings

// Writes all records up to the sample's time. Later records stay for the next drain, because they would be present for
// some rings and missing for rings that were read earlier. Returns the number of records.
static uint64_t merge(const struct qs_clock_sample *sample)
{
	uint64_t count = 0;
	while (reader.heap.count > 0) {
		struct qs_switch_thread *thread = qs_switch_thread_at(reader.heap.turns[0].thread);
		if (thread->next.time_ns > sample->monotonic_ns) return count;
		write_record(thread, &thread->next, qs_clock_ticks_at(thread->next.time_ns, &reader.sample, sample));
		qs_switch_ring_take(&thread->ring, &thread->next);
		thread->initial.opened_ns = 0;
		thread->left_ns = thread->next.kind == QS_SWITCH_BLOCKED ? thread->next.time_ns : 0;
		thread->recent += 1;
		count += 1;
		if (qs_switch_ring_peek(&thread->ring, &thread->next)) {
			qs_switch_heap_put_off_first(&reader.heap, thread->next.time_ns);
		} else {
			qs_switch_heap_remove_first(&reader.heap);
		}
	}
	return count;
}

// MARK: Draining

static int64_t shortest_pause_ns(void)
{
	int64_t pause_ns = (int64_t)qs_switch_threads_count() * SHORTEST_PAUSE_OF_THREAD_NS;
	return pause_ns > SHORTEST_PAUSE_NS ? pause_ns : SHORTEST_PAUSE_NS;
}

// Halves the pause when a ring was more than a quarter full, and doubles it when all rings were nearly empty.
//
// While all rings are empty, the pause grows to a second. The next event of any thread ends it. A thread that records
// no events and begins to switch often after a quiet time T has a delay of about T, and of a second at most: a large
// ring holds 5,461 records.
static void choose_pause(uint32_t fullest_share)
{
	int64_t longest = fullest_share == 0 ? QUIET_PAUSE_NS : LONGEST_PAUSE_NS;
	// The smallest rings fill up sooner.
	if (fullest_share != 0 && qs_switch_threads_count() > 256) longest /= 4;
	if (fullest_share > 64) {
		reader.pause_ns /= 2;
	} else if (fullest_share < 16) {
		reader.pause_ns *= 2;
	}
	if (reader.pause_ns > longest) reader.pause_ns = longest;
	if (reader.pause_ns < shortest_pause_ns()) reader.pause_ns = shortest_pause_ns();
}

// Counts the bytes in the rings. Returns the fill level of the fullest, in 255ths, 0 when all are empty.
static uint32_t fill(void)
{
	uint32_t fullest = 0;
	reader.heap.count = 0;
	for (uint32_t index = 0; index < qs_switch_threads_count(); index++) {
		struct qs_switch_thread *thread = qs_switch_thread_at(index);
		if (thread->state != QS_SWITCHES_RECORDED) continue;
		uint32_t bytes = qs_switch_ring_fill(&thread->ring);
		uint32_t share = (uint32_t)(((uint64_t)bytes * 255 + thread->ring.bytes - 1) / thread->ring.bytes);
		if (share > fullest) fullest = share;
		// The kernel reports lost records with the next record that fits. If there is none, close_ring reports the
		// loss.
		if (bytes > 0) thread->was_full = bytes + QS_LONGEST_SWITCH_RECORD > thread->ring.bytes;
		bool has_record = qs_switch_ring_peek(&thread->ring, &thread->next);
		// The inserted record must not be earlier than the stream's last event.
		int64_t last_ns = reader.sample.monotonic_ns;
		if (!qs_initial_off_cpu_insert(&thread->initial, last_ns, has_record, &thread->next)) continue;
		qs_switch_heap_add(&reader.heap, (struct qs_switch_turn){thread->next.time_ns, index});
	}
	return fullest;
}

static void close_ring(struct qs_switch_thread *thread)
{
	thread->left_ns = 0;
	if (thread->was_full) qs_record_switches_lost(1, thread->tid);
	thread->was_full = false;
	qs_switch_ring_close(&thread->ring);
}

// Pauses the threads with at least an average share of the recent records.
static void pause_hot_threads(int64_t resume_ns)
{
	uint64_t total = 0, active = 0;
	for (uint32_t index = 0; index < qs_switch_threads_count(); index++) {
		const struct qs_switch_thread *thread = qs_switch_thread_at(index);
		if (thread->state != QS_SWITCHES_RECORDED || thread->recent == 0) continue;
		total += thread->recent;
		active += 1;
	}
	if (active == 0) return;
	for (uint32_t index = 0; index < qs_switch_threads_count(); index++) {
		struct qs_switch_thread *thread = qs_switch_thread_at(index);
		if (thread->state != QS_SWITCHES_RECORDED || thread->recent < total / active || thread->recent == 0) continue;
		close_ring(thread);
		thread->state = QS_SWITCHES_PAUSED;
		thread->resume_ns = resume_ns;
		qs_record_switches_pause_begin(thread->tid);
	}
}

static void resume(struct qs_switch_thread *thread)
{
	thread->recent = 0;
	if (qs_switch_thread_reopen(thread) != 0) return;
	qs_record_switches_pause_end(thread->tid);
	reader.pause_ns = SHORTEST_PAUSE_NS; // the thread is probably as hot as before
}

// When the thread needs the next drain, apart from the records of its ring.
static int64_t due_of(const struct qs_switch_thread *thread, int64_t now_ns)
{
	if (thread->state == QS_SWITCHES_PAUSED) return thread->resume_ns;
	// A visit that is due already waits for the visitor's budget.
	int64_t sample_ns = thread->left_ns + QS_BLOCKED_SAMPLE_AFTER_NS;
	return thread->state == QS_SWITCHES_RECORDED && thread->left_ns != 0 && sample_ns > now_ns ? sample_ns : INT64_MAX;
}

// Returns when the first thread needs the next drain.
static int64_t update_threads(int64_t now_ns)
{
	int64_t due_ns = INT64_MAX;
	for (uint32_t index = 0; index < qs_switch_threads_count(); index++) {
		struct qs_switch_thread *thread = qs_switch_thread_at(index);
		if (thread->state == QS_SWITCHES_UNUSED) continue;
		if (thread->state == QS_SWITCHES_RECORDED) qs_switch_ring_release(&thread->ring);
		if (qs_switch_thread_has_ended(thread)) {
			close_ring(thread);
			thread->state = QS_SWITCHES_UNUSED;
		} else if (thread->state == QS_SWITCHES_PAUSED && now_ns >= thread->resume_ns) {
			resume(thread);
		}
		thread->recent /= 2;
		int64_t thread_due_ns = due_of(thread, now_ns);
		if (thread_due_ns < due_ns) due_ns = thread_due_ns;
	}
	return due_ns;
}

// Decides when the next drain is due, and watches for events during a long pause.
static void set_due_time(int64_t now_ns, int64_t threads_due_ns)
{
	reader.due_ns = reader.pause_ns < QUIET_PAUSE_NS ? now_ns + reader.pause_ns : next_second(now_ns);
	int64_t soonest_ns = now_ns + shortest_pause_ns();
	if (threads_due_ns < soonest_ns) threads_due_ns = soonest_ns;
	if (threads_due_ns < reader.due_ns) reader.due_ns = threads_due_ns;
	if (reader.pause_ns <= LONGEST_PAUSE_NS || reader.is_watching) return;
	reader.is_watching = true;
	qs_streams_watch();
}

static void drain(int64_t now_ns)
{
	int64_t used_ns = qs_clock_system(CLOCK_THREAD_CPUTIME_ID);
	qs_switch_threads_scan_if_due(now_ns);
	struct qs_clock_sample sample = qs_clock_sample();
	struct qs_stream *own = qs_thread_stream;
	qs_thread_stream = reader.stream;
	uint32_t fullest_share = fill();
	uint64_t records = merge(&sample);
	// The following events get the sample's time, which is the latest in the stream.
	set_time(sample.ticks);
	int64_t reading_ns = qs_clock_system(CLOCK_THREAD_CPUTIME_ID) - used_ns + reader.visiting_ns;
	reader.visiting_ns = 0;
	int64_t pause_ns = qs_switch_budget_spend(&reader.budget, sample.monotonic_ns, records, reading_ns);
	if (pause_ns > 0) pause_hot_threads(sample.monotonic_ns + pause_ns);
	int64_t threads_due_ns = update_threads(sample.monotonic_ns);
	qs_thread_stream = own;
	reader.sample = sample;
	reader.has_new_reading = true;
	choose_pause(fullest_share);
	set_due_time(sample.monotonic_ns, threads_due_ns);
}

void qs_switch_reader_begin(void)
{
	// The starter waits until the recorder is ready. This is not a wait of the program.
	struct qs_switch_thread *starter = qs_switch_thread_at(0);
	starter->initial = (struct qs_initial_off_cpu){0};
	qs_switch_ring_fill(&starter->ring);
	struct qs_switch_record record;
	while (qs_switch_ring_peek(&starter->ring, &record)) qs_switch_ring_take(&starter->ring, &record);
}

int64_t qs_switch_reader_drain(int64_t now_ns)
{
	if (reader.is_watching && !qs_streams_are_quiet()) {
		reader.is_watching = false;
		reader.pause_ns = SHORTEST_PAUSE_NS;
		reader.due_ns = now_ns;
	}
	if (now_ns >= reader.due_ns || now_ns >= qs_switch_threads_requested_ns()) drain(now_ns);
	int64_t scan_ns = qs_switch_threads_requested_ns();
	return scan_ns < reader.due_ns ? scan_ns : reader.due_ns;
}

void qs_switch_reader_read(void)
{
	if (reader.stream != NULL) drain(qs_clock_system(CLOCK_MONOTONIC));
}

void qs_switch_reader_visit_blocked(bool (*visit)(struct qs_switch_ring *ring, uint32_t tid, int64_t now_ns))
{
	if (reader.stream == NULL || !reader.has_new_reading) return;
	reader.has_new_reading = false;
	int64_t begin_ns = qs_clock_system(CLOCK_THREAD_CPUTIME_ID);
	int64_t now_ns = reader.sample.monotonic_ns;
	struct qs_stream *own = qs_thread_stream;
	qs_thread_stream = reader.stream;
	set_time(reader.sample.ticks);
	for (uint32_t index = 0; index < qs_switch_threads_count(); index++) {
		struct qs_switch_thread *thread = qs_switch_thread_at(index);
		if (thread->state != QS_SWITCHES_RECORDED || thread->left_ns == 0) continue;
		if (now_ns - thread->left_ns < QS_BLOCKED_SAMPLE_AFTER_NS) continue;
		if (visit(&thread->ring, thread->tid, now_ns)) thread->left_ns = 0;
	}
	qs_thread_stream = own;
	reader.visiting_ns += qs_clock_system(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
}

// MARK: Start and stop

int qs_switch_reader_start(uint32_t starter_tid, const struct qs_processors *processors)
{
	memset(&reader, 0, sizeof reader);
	reader.sample = qs_clock_sample();
	int64_t now_ns = reader.sample.monotonic_ns;
	qs_switch_budget_start(&reader.budget, processors, now_ns);
	qs_blocked_calls_start();
	qs_switch_threads_start();
	reader.pause_ns = FIRST_PAUSE_NS;
	reader.due_ns = now_ns + reader.pause_ns;
	int error = qs_switch_threads_add(starter_tid);
	if (error == 0) qs_switch_threads_scan(now_ns);
	else qs_switch_reader_close();
	return error;
}

void qs_switch_reader_limit(int64_t share)
{
	if (reader.stream != NULL) qs_switch_budget_limit(&reader.budget, share);
}

void qs_switch_reader_set_stream(struct qs_stream *stream)
{
	reader.stream = stream;
	// Initial off-CPU times start here, so that the trace does not start with the creation of the recorder's threads.
	reader.sample = qs_clock_sample();
}

void qs_switch_reader_stop(void)
{
	drain(qs_clock_system(CLOCK_MONOTONIC));
	struct qs_stream *own = qs_thread_stream;
	qs_thread_stream = reader.stream;
	for (uint32_t index = 0; index < qs_switch_threads_count(); index++) close_ring(qs_switch_thread_at(index));
	qs_thread_stream = own;
	qs_switch_reader_forget();
}

void qs_switch_reader_close(void)
{
	for (uint32_t index = 0; index < qs_switch_threads_count(); index++) {
		qs_switch_ring_close(&qs_switch_thread_at(index)->ring);
	}
	qs_switch_reader_forget();
}

void qs_switch_reader_forget(void)
{
	qs_switch_threads_forget();
	reader.stream = NULL;
}
