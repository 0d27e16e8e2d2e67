#define _GNU_SOURCE
#include "copier.h"

#include "../Events/lost_events.h"
#include "../Events/stream.h"
#include "../System/system_clock.h"
#include "chunk_supply.h"
#include "quiet_threads.h"
#include "stream_copy.h"
#include "trace_files.h"

void qs_copier_start(void)
{
	qs_stream_copy_start();
	qs_chunk_supply_start();
}

uint64_t qs_copier_run(bool with_partial)
{
	int64_t now_ns = qs_clock_system(CLOCK_MONOTONIC);
	if (!qs_stream_copy_begin_run(now_ns)) return 0;
	qs_stream_copy(&qs_definitions_stream, true); // first: other events refer to definitions
	for (uint32_t index = 1; index <= qs_streams_count() && !qs_stream_copy_is_paused(); index++) {
		qs_stream_copy(qs_stream_at(index), with_partial);
		qs_quiet_threads_note(qs_stream_at(index), now_ns);
	}
	return qs_stream_copy_bytes();
}

bool qs_copier_finish(void)
{
	qs_stream_copy_begin_last_run();
	qs_copier_run(true);
	if (qs_stream_copy_is_refused()) return false;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) qs_stream_copy_write_discarded(qs_stream_at(index));
	qs_stream_copy_discard(&qs_definitions_stream, (uint32_t)qs_lost_events_take());
	qs_stream_copy_write_discarded(&qs_definitions_stream);
	if (qs_stream_copy_is_refused()) return false;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) qs_trace_file_finish(qs_stream_at(index));
	qs_trace_file_finish(&qs_definitions_stream);
	return true;
}

struct qs_extent qs_copier_extent(void)
{
	// Higher numbers belong to a second recorder.
	uint32_t end = QS_SHARED_FIRST_STREAM;
	struct qs_extent extent = {.bytes = qs_definitions_stream.copy.done.file_end};
	for (uint32_t index = 1; index <= qs_streams_count() && index < end; index++) {
		const struct qs_copied *done = &qs_stream_at(index)->copy.done;
		extent.streams += done->packets != 0;
		extent.bytes += done->file_end;
	}
	return extent;
}
