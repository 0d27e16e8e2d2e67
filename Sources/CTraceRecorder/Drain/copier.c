#define _GNU_SOURCE
#include "copier.h"

#include "../Events/lost_events.h"
#include "../Events/stream.h"
#include "../System/system_clock.h"
#include "chunk_supply.h"
#include "memory_ring.h"
#include "quiet_threads.h"
#include "stream_copy.h"
#include "trace_files.h"
#include "window.h"

void qs_copier_start(bool in_memory)
{
	qs_stream_copy_start();
	qs_memory_ring_start(in_memory);
	qs_chunk_supply_start();
}

// While a chunk is written, threads can take the other ones.
static void copy_from_ring(struct qs_stream *stream)
{
	for (;;) {
		qs_memory_ring_hold(stream);
		if (!qs_stream_copy_first(stream, true)) return;
		qs_memory_ring_close();
		qs_stream_copy_free_chunk(stream);
	}
}

static void apply_window(void)
{
	qs_memory_ring_close();
	qs_window_apply();
	qs_memory_ring_open();
}

uint64_t qs_copier_run(enum qs_copier_scope scope)
{
	bool keeps = qs_arena_is_ring() && scope != QS_COPY_FOR_READER;
	int64_t now_ns = qs_clock_system(CLOCK_MONOTONIC);
	if (!qs_stream_copy_begin_run(now_ns)) return 0;
	qs_stream_copy(&qs_definitions_stream, !keeps); // first: other events refer to definitions
	if (keeps) return qs_stream_copy_bytes();
	if (qs_arena_is_ring()) apply_window();
	qs_memory_ring_write_time();
	for (uint32_t index = 1; index <= qs_streams_count() && !qs_stream_copy_is_paused(); index++) {
		struct qs_stream *stream = qs_stream_at(index);
		if (qs_arena_is_ring()) {
			copy_from_ring(stream);
		} else {
			bool with_partial = scope != QS_COPY_FULL_CHUNKS;
			qs_stream_copy(stream, with_partial);
			if (with_partial) qs_quiet_threads_note(stream, now_ns);
		}
	}
	qs_memory_ring_write_time(); // again, because chunks of later streams may have been overwritten during the run
	return qs_stream_copy_bytes();
}

bool qs_copier_finish(void)
{
	qs_stream_copy_begin_last_run();
	qs_copier_run(QS_COPY_FOR_READER);
	if (qs_stream_copy_is_refused()) return false;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) qs_stream_copy_write_discarded(qs_stream_at(index));
	qs_stream_copy_discard(&qs_definitions_stream, (uint32_t)qs_lost_events_take());
	qs_stream_copy_write_discarded(&qs_definitions_stream);
	if (qs_stream_copy_is_refused()) return false;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) qs_trace_file_finish(qs_stream_at(index));
	qs_trace_file_finish(&qs_definitions_stream);
	qs_memory_ring_finish();
	return true;
}

struct qs_extent qs_copier_extent(void)
{
	// Higher numbers belong to a second recorder.
	uint32_t end = QS_SHARED_FIRST_STREAM;
	struct qs_extent extent = {.bytes = qs_definitions_stream.copy.done.file_end};
	for (uint32_t index = 1; index <= qs_streams_count() && index < end; index++) {
		const struct qs_copied *done = &qs_stream_at(index)->copy.done;
		extent.streams += done->file_end != 0;
		extent.bytes += done->file_end;
	}
	return extent;
}
