#include "statedump.h"

#include <string.h>

#include "../Events/stream.h"
#include "CTraceRecorder.h"
#include "code_table.h"
#include "stack_capture.h"

// One of the hooks, one of the library.
static void (*statedumps[2])(void);

void qs_add_statedump(void (*function)(void))
{
	statedumps[statedumps[0] == NULL ? 0 : 1] = function;
}

void qs_statedump_objects(void)
{
	for (int index = 0; index < 2; index++) {
		if (statedumps[index] != NULL) statedumps[index]();
	}
}

// Living threads that have recorded an event.
static void record_threads(void (*note_thread)(uint32_t tid))
{
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		struct qs_stream *stream = qs_stream_at(index);
		if (!__atomic_load_n(&stream->in_use, __ATOMIC_ACQUIRE)) continue;
		uint32_t tid = __atomic_load_n(&stream->tid, __ATOMIC_RELAXED);
		uint64_t name[2];
		for (int word = 0; word < 2; word++) name[word] = __atomic_load_n(&stream->name[word], __ATOMIC_RELAXED);
		qs_record_thread_start(tid, (const char *)name, strnlen((const char *)name, sizeof name), 0, 0);
		if (note_thread != NULL) note_thread(tid);
	}
}

void qs_statedump(void (*note_thread)(uint32_t tid))
{
	record_threads(note_thread);
	qs_codes_record_again();
	qs_stacks_record_again();
}
