// End of a session: the program stops it, the program ends, or this process is a copy of the recording one.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "clock_watch.h"
#include "event_writing.h"
#include "identity.h"
#include "images.h"
#include "main_thread_end.h"
#include "service.h"
#include "session.h"
#include "system_calls.h"
#include "thread_guard.h"

enum {
	NAP_NS = 100 * 1000,
	// Most naps for threads that are stopped within an event. At the end of the process the memory stays mapped, so an
	// event that ends later does no harm.
	EXIT_NAPS = 10 * 1000 * 1000 / NAP_NS,
	// A stop unmaps the memory. If a thread may still write, the addresses are not used again.
	STOP_NAPS = 1000 * 1000 * 1000 / NAP_NS,
};

// After this, a thread that is about to write has either set `writing`, or sees that no session records.
static void refuse_events(void)
{
	__atomic_store_n(&qs_gate.wrapper_epoch, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_gate.epoch, 0, __ATOMIC_SEQ_CST);
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
		const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
		nanosleep(&pause, NULL);
	}
}

// Waits until the stream's owner has finished its event, for at most *naps naps. Returns false when it has not; the
// stream is then left unchanged.
static bool wait_for_writer(struct qs_stream *stream, int *naps)
{
	const struct timespec pause = {.tv_nsec = NAP_NS};
	// exit() in a signal handler that interrupted this thread during an event: the event will not be finished, and the
	// packet counts complete events only.
	if (stream == qs_thread_stream) return true;
	while (__atomic_load_n(&stream->writing, __ATOMIC_ACQUIRE)) {
		if (*naps == 0) return false;
		--*naps;
		nanosleep(&pause, NULL);
	}
	return true;
}

// Waits until no thread is writing an event. Returns false when any thread is stopped within an event. The naps are
// shared by all streams.
static bool wait_for_writers(int naps)
{
	bool have_ended = true;
	for (uint32_t index = 1; index <= qs_streams_count(); index++)
		have_ended &= wait_for_writer(qs_stream_at(index), &naps);
	return have_ended;
}

void qs_session_abandon(void)
{
	qs_session_control.has_unfinished_session = true;
	refuse_events();
	wait_for_writers(STOP_NAPS);
	qs_service_forget();
	qs_main_thread_wake_successor();
}

bool qs_session_leave_to_parent(void)
{
	if (!qs_is_recording() || qs_thread_is_sandboxed || qs_identity.pid == (uint32_t)getpid()) return false;
	__atomic_store_n(&qs_gate.wrapper_epoch, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_gate.epoch, 0, __ATOMIC_RELAXED);
	qs_service_forget();
	return true;
}

// Describes the session in `stopped`, unless it is NULL. Returns false when there was no session to stop.
static bool stop_session(bool is_process_end, struct qs_stopped_session *stopped)
{
	// exit() in a signal handler that interrupted the recorder: this thread holds the lock. Written events are durable
	// anyway.
	if (qs_thread_inside || qs_session_leave_to_parent()) return false;
	int saved_errno = errno;
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	bool wants_images = qs_images_are_wanted();
	if (wants_images && qs_identity.lttng == NULL) qs_service_record_images();
	else if (wants_images) qs_images_record();
	if (qs_is_recording()) qs_clock_record_sync();
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
	refuse_events();
	bool have_ended = wait_for_writers(is_process_end ? EXIT_NAPS : STOP_NAPS);
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
	qs_lock_give_back(&qs_session_control.lock);
	qs_thread_inside = false;
	pthread_setcancelstate(cancellation, NULL);
	errno = saved_errno;
	return true;
}

bool qs_session_stop_and_tell(struct qs_stopped_session *stopped)
{
	if (!qs_session_leave_to_parent() && qs_is_recording() && !qs_identity.is_joined) qs_record_recording_stop();
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
