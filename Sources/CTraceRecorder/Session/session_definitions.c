#include "session_definitions.h"

#include <string.h>

#include "../Definitions/definitions_number.h"
#include "../Definitions/images.h"
#include "../Definitions/statedump.h"
#include "../Drain/metadata.h"
#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../LTTng/lttng.h"
#include "../Observers/processor_track.h"
#include "observers.h"

static void record_process(void)
{
	char name[64];
	qs_process_name(name, sizeof name);
	const struct qs_processors *processors = &qs_identity.processors;
	qs_record_process_state(qs_identity.pid, name, strlen(name), QS_SCHEMA_MAJOR, QS_SCHEMA_MINOR,
		(uint16_t)processors->allowed, (uint16_t)processors->online, processors->quota_milli);
}

// Existing objects, such as queues and sources.
static void define_objects(void)
{
	if (!qs_identity.is_joined) qs_observers_define();
	qs_statedump_objects();
}

void qs_session_define(void)
{
	if (!qs_identity.is_joined) qs_images_record();
	define_objects();
}

void qs_session_define_again(void)
{
	define_objects();
	qs_statedump(qs_identity.lttng != NULL ? qs_processor_track_record_totals : NULL);
}

void qs_lttng_statedump(void)
{
	if (!qs_is_recording()) return;
	qs_definitions_begin();
	if (!qs_identity.is_joined) {
		record_process();
		qs_images_record();
	}
	qs_session_define_again();
	qs_lttng_statedump_follower();
}
