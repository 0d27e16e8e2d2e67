// End of a session: the program stops it, the program ends, or this process is a copy of the recording one.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "../Definitions/images.h"
#include "../Events/arena.h"
#include "../Events/identity.h"
#include "../Events/recorder.h"
#include "../Events/stream.h"
#include "../Events/writers.h"
#include "../Gate/thread_guard.h"
#include "../Observers/clock_watch.h"
#include "../Observers/recording_budget.h"
#include "CTraceRecorder.h"
#include "service.h"
#include "session.h"
#include "session_control.h"
#include "session_hooks.h"

enum {
	// Longest wait for threads that are stopped within an event. At the end of the process the memory stays mapped, so
	// an event that ends later does no harm.
	EXIT_WAIT_MS = 10,
	// A stop unmaps the memory. If a thread may still write, the addresses are not used again.
	STOP_WAIT_MS = 1000,
};

// Describes the session in `stopped`, unless it is NULL. Returns false when there was no session to stop.
static bool stop_session(bool is_process_end, struct qs_stopped_session *stopped)
{
	// exit() in a signal handler that interrupted the recorder: this thread holds the lock. Written events are durable
	// anyway.
	if (qs_thread_inside || qs_recorder_leave_to_parent()) return false;
	int saved_errno = errno;
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	bool wants_images = qs_images_are_wanted();
	if (wants_images && qs_identity.lttng == NULL) qs_service_record_images();
	else if (wants_images && !is_process_end) qs_images_record(); // at the end, the watch thread has done this
	if (qs_is_recording()) {
		qs_budget_record_stop();
		qs_clock_record_sync();
	}
	qs_thread_inside = true;
	bool has_lock = qs_lock_take_patiently(&qs_session_control.lock);
	// The session of another recorder continues until the process ends.
	if (!has_lock || !qs_is_recording() || (qs_identity.is_joined && !is_process_end)) {
		if (has_lock) qs_lock_give_back(&qs_session_control.lock);
		qs_thread_inside = false;
		pthread_setcancelstate(cancellation, NULL);
		errno = saved_errno;
		return false;
	}
	if (stopped != NULL) snprintf(stopped->directory, sizeof stopped->directory, "%s", qs_identity.directory);
	qs_writers_refuse();
	bool have_ended = qs_writers_wait(is_process_end ? EXIT_WAIT_MS : STOP_WAIT_MS);
	if (qs_identity.lttng == NULL) {
		// Wait for a definition that is being written.
		int wait_ms = is_process_end ? QS_LOCK_MS : QS_STOP_LOCK_MS;
		if (qs_lock_take_within(&qs_definitions_lock, wait_ms)) qs_lock_give_back(&qs_definitions_lock);
		else have_ended = false;
		bool is_complete = qs_service_stop();
		// At the end of the process, the system frees the memory.
		if (!is_complete) qs_session_control.has_unfinished_session = true;
		else if (!is_process_end) qs_arena_close(!have_ended);
	}
	// Before a new session resets the counters.
	if (stopped != NULL) stopped->discarded = qs_session_discarded();
	if (!is_process_end) qs_session_hooks_end();
	qs_lock_give_back(&qs_session_control.lock);
	qs_thread_inside = false;
	pthread_setcancelstate(cancellation, NULL);
	errno = saved_errno;
	return true;
}

bool qs_session_stop_and_tell(struct qs_stopped_session *stopped)
{
	if (!qs_recorder_leave_to_parent() && qs_is_recording() && !qs_identity.is_joined) qs_record_recording_stop();
	return stop_session(false, stopped);
}

uint64_t qs_session_stop(void)
{
	struct qs_stopped_session stopped = {.discarded = 0};
	stop_session(false, &stopped);
	return stopped.discarded;
}

void qs_session_end(void)
{
	stop_session(true, NULL);
}
