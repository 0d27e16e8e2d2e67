#include "statedump.h"

#include <string.h>

#include "code_table.h"
#include "definitions_number.h"
#include "event_writing.h"
#include "identity.h"
#include "images.h"
#include "lttng.h"
#include "metadata.h"
#include "processor_track.h"
#include "session.h"
#include "stack_capture.h"

static void record_process(void)
{
	char name[64];
	qs_process_name(name, sizeof name);
	const struct qs_processors *processors = &qs_identity.processors;
	qs_record_process_state(qs_identity.pid, name, strlen(name), QS_SCHEMA_MAJOR, QS_SCHEMA_MINOR,
		(uint16_t)processors->allowed, (uint16_t)processors->online, processors->quota_milli);
}

// Living threads that have recorded an event.
static void record_threads(void)
{
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		struct qs_stream *stream = qs_stream_at(index);
		if (!__atomic_load_n(&stream->in_use, __ATOMIC_ACQUIRE)) continue;
		uint32_t tid = __atomic_load_n(&stream->tid, __ATOMIC_RELAXED);
		uint64_t name[2];
		for (int word = 0; word < 2; word++) name[word] = __atomic_load_n(&stream->name[word], __ATOMIC_RELAXED);
		qs_record_thread_start(tid, (const char *)name, strnlen((const char *)name, sizeof name));
		if (qs_identity.lttng != NULL) qs_processor_track_record_totals(tid);
	}
}

void qs_statedump(void)
{
	qs_session_define_objects();
	record_threads();
	qs_codes_record_again();
	qs_stacks_record_again();
}

void qs_lttng_statedump(void)
{
	if (!qs_is_recording()) return;
	qs_definitions_begin();
	if (!qs_identity.is_joined) {
		record_process();
		qs_images_record();
	}
	qs_statedump();
	qs_lttng_statedump_follower();
}
