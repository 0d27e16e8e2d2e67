#define _GNU_SOURCE
#include "thread_events.h"

#include <string.h>

#include "../Events/recorder.h"
#include "../Observers/processor_track.h"
#include "CTraceRecorder.h"
#include "main_thread_end.h"

enum { NAME_BYTES = 16 };

static void record_name(uint32_t tid, const uint64_t *name)
{
	qs_record_thread_start(tid, (const char *)name, strnlen((const char *)name, NAME_BYTES));
}

static void starts(uint32_t tid, const uint64_t *name)
{
	record_name(tid, name);
	if (qs_processor_track_thread_starts()) qs_recorder_wake();
}

static void ends(uint32_t tid, const uint64_t *new_name)
{
	if (new_name != NULL) record_name(tid, new_name);
	qs_processor_track_thread_ends();
	qs_main_thread_note_thread_end();
	qs_record_thread_exit(tid);
}

const struct qs_thread_listener qs_thread_events = {.starts = starts, .ends = ends};
