// What the recorder does by itself: start with the process, stop at exit, stay quiet in a forked child.
#include <pthread.h>
#include <string.h>

#include "arena.h"
#include "environment.h"
#include "event_writing.h"
#include "ids.h"
#include "late_start.h"
#include "lttng.h"
#include "processor_track.h"
#include "sandbox.h"
#include "service.h"
#include "session.h"
#include "stack_capture.h"

bool qs_start_is_deferred;

// Defined by the queuescope command, into which SwiftPM links what the programs that are built along with it need: it records others, never
// itself, and needs their variables.
extern void queuescope_is_never_recorded(void) __attribute__((weak));

static struct qs_lock *const locks[] = {&qs_session.lock, &qs_session.definitions_lock, &qs_stacks_lock};

enum { LOCKS = sizeof locks / sizeof locks[0] };

// Whether the fork that is under way on this thread asked for the locks, and which it got.
static __thread struct {
	bool is_inside;
	bool has[LOCKS];
} own_fork __attribute__((tls_model("initial-exec")));

// All locks are taken that can be had, so that the child finds nothing half done. Not by a signal handler that
// interrupted the recorder: its thread may hold them.
static void before_fork(void)
{
	if (qs_thread_inside) return;
	qs_thread_inside = true;
	for (int index = 0; index < LOCKS; index++) own_fork.has[index] = qs_lock_take(locks[index]);
	own_fork.is_inside = true;
}

static void after_fork_in_parent(void)
{
	if (!own_fork.is_inside) return;
	own_fork.is_inside = false;
	for (int index = LOCKS; index-- > 0;) {
		if (own_fork.has[index]) qs_lock_give_back(locks[index]);
	}
	qs_thread_inside = false;
}

// The packets are shared with the parent, so the child must not write: it records nothing until it starts a session itself.
static void after_fork_in_child(void)
{
	__atomic_store_n(&qs_wrapper_epoch, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_session_epoch, 0, __ATOMIC_RELEASE);
	qs_forget_tid();
	bool is_writing = qs_own_stream() != NULL && qs_thread_stream->writing != 0;
	qs_streams_forget();
	qs_service_forget();
	// The memory is the parent's. A signal handler that forked in the middle of an event has to finish it.
	qs_arena_forget(is_writing);
	qs_processor_track_forget();
	qs_lttng_watch_forget();
	qs_late_start_forget();
	qs_session_forget();
	for (int index = 0; index < LOCKS; index++) *locks[index] = (struct qs_lock){0};
	if (!own_fork.is_inside) return;
	own_fork.is_inside = false;
	qs_thread_inside = false;
}

bool qs_process_hear_of_forks(void)
{
	// Set before, as pthread_atfork may be hooked and come here again.
	static bool hears_of_forks;
	if (__atomic_exchange_n(&hears_of_forks, true, __ATOMIC_RELAXED)) return true;
	hears_of_forks = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
	return hears_of_forks;
}

bool qs_process_prepare(void)
{
	return qs_process_hear_of_forks() && qs_streams_prepare();
}

// Where the recorder starts by itself: early, so that what other constructors do is in the trace, and so that no event has to set up anything, which may
// come out of an allocator. In a program without libdispatch it does nothing.
__attribute__((constructor(201))) static void process_starts(void)
{
	if (queuescope_is_never_recorded != NULL || qs_start_is_deferred) return;
	qs_process_prepare();
	if (!qs_session_join()) qs_session_start_from_environment();
}

__attribute__((destructor)) static void process_ends(void)
{
	// A sandboxed thread that calls exit cannot stop the session. Its events are in the arena, from which the next
	// reader completes the trace.
	if (qs_start_is_deferred || qs_thread_is_sandboxed) return;
	qs_lttng_watch_stop();
	qs_session_end();
}
