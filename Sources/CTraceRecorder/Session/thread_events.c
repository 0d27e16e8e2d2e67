#define _GNU_SOURCE
#include "thread_events.h"

#include <string.h>

#include "../Events/recorder.h"
#include "../Events/thread_maker.h"
#include "../Observers/processor_track.h"
#include "../Observers/thread_names.h"
#include "CTraceRecorder.h"
#include "main_thread_end.h"

enum { NAME_BYTES = 16 };

static void record(uint32_t tid, const uint64_t *name, uint32_t maker, uint64_t age_ns)
{
	qs_record_thread_start(tid, (const char *)name, strnlen((const char *)name, NAME_BYTES), maker, age_ns);
}

static void starts(uint32_t tid, const uint64_t *name)
{
	uint64_t age_ns;
	uint32_t maker = qs_thread_maker(&age_ns);
	record(tid, name, maker, age_ns);
	qs_thread_names_note_start();
	if (qs_processor_track_thread_starts()) qs_recorder_wake();
}

static void ends(uint32_t tid, const uint64_t *new_name)
{
	if (new_name != NULL) record(tid, new_name, 0, 0);
	qs_processor_track_thread_ends();
	qs_main_thread_note_thread_end();
	qs_record_thread_exit(tid);
}

const struct qs_thread_listener qs_thread_events = {.starts = starts, .ends = ends};
