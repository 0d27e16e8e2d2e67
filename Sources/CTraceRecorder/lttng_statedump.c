#include <string.h>
#include <unistd.h>

#include "event_writing.h"
#include "lttng.h"
#include "processor_track.h"
#include "session.h"

static void record_process(void)
{
	char name[64];
	qs_process_name(name, sizeof name);
	qs_record_process_state(qs_session.pid, name, strlen(name), QS_SCHEMA_MAJOR, QS_SCHEMA_MINOR,
		(uint16_t)sysconf(_SC_NPROCESSORS_ONLN));
}

// Those that have recorded something, and live.
static void record_threads(void)
{
	// Streams are only ever put in front.
	struct qs_stream *stream = __atomic_load_n(&qs_session.streams, __ATOMIC_ACQUIRE);
	for (; stream != NULL; stream = stream->next) {
		char name[sizeof stream->name];
		qs_thread_inside = true; // a signal handler must not come for the lock
		pthread_mutex_lock(&qs_session.lock);
		bool is_alive = stream->in_use && !stream->is_of_kernel;
		uint32_t tid = stream->tid;
		memcpy(name, stream->name, sizeof name);
		pthread_mutex_unlock(&qs_session.lock);
		qs_thread_inside = false;
		if (!is_alive) continue;
		qs_record_thread_start(tid, name, strnlen(name, sizeof name));
		qs_processor_track_record_totals(tid);
	}
}

void qs_lttng_statedump(void)
{
	if (!qs_is_recording()) return;
	__atomic_fetch_add(&qs_session.definitions_number, 1, __ATOMIC_RELAXED);
	if (!qs_session.is_joined) record_process();
	qs_session_define();
	record_threads();
	qs_codes_record_again();
	qs_stacks_record_again();
	void (*follower)(void) = __atomic_load_n(&qs_session.follower, __ATOMIC_ACQUIRE);
	if (follower != NULL) follower();
}
