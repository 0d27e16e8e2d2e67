#include "fork_handlers.h"

#include <pthread.h>

#include "../Definitions/stack_capture.h"
#include "../Events/arena.h"
#include "../Events/event_writing.h"
#include "../Events/ids.h"
#include "../Events/lost_events.h"
#include "../Events/recorder.h"
#include "../Events/thread_maker.h"
#include "../Gate/thread_guard.h"
#include "../LTTng/lttng.h"
#include "main_thread_end.h"
#include "observers.h"
#include "session_control.h"
#include "thread_events.h"

static struct qs_lock *const locks[] = {&qs_session_control.lock, &qs_definitions_lock, &qs_stacks_lock};

enum { LOCKS = sizeof locks / sizeof locks[0] };

// State of the fork in progress on this thread: whether it asked for the locks, and which ones it got.
static __thread struct {
	bool is_inside;
	bool has[LOCKS];
} own_fork __attribute__((tls_model("initial-exec")));

// atomic: resets the control socket in a child; NULL: it has never been open
static void (*forget_control)(void);

void qs_process_call_in_child(void (*forget)(void))
{
	__atomic_store_n(&forget_control, forget, __ATOMIC_RELAXED);
}

// Takes all available locks, so that the child's copy of the state is consistent. Not in a signal handler that
// interrupted the recorder: its thread may hold the locks.
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

// The packets are shared with the parent, so the child must not write: it records nothing until it starts a session
// itself.
static void after_fork_in_child(void)
{
	__atomic_store_n(&qs_gate.wrapper_epoch, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_gate.epoch, 0, __ATOMIC_RELEASE);
	qs_forget_tid();
	qs_thread_maker_forget();
	bool is_writing = qs_own_stream() != NULL && qs_thread_stream->writing != 0;
	qs_streams_forget();
	qs_recorder_forget();
	qs_main_thread_forget();
	// The memory is the parent's. A signal handler that forked in the middle of an event has to finish that event.
	qs_arena_forget(is_writing);
	qs_observers_forget();
	qs_lttng_watch_forget();
	qs_recorder_set_late_starter(0);
	qs_recorder_set_control_thread(0);
	qs_second_recorder = 0;
	void (*forget)(void) = __atomic_load_n(&forget_control, __ATOMIC_RELAXED);
	if (forget != NULL) forget();
	qs_definitions_stream = (struct qs_stream){.stage = qs_definitions_stream.stage};
	qs_lost_events_reset();
	qs_session_control.has_unfinished_session = false;
	for (int index = 0; index < LOCKS; index++) *locks[index] = (struct qs_lock){0};
	if (!own_fork.is_inside) return;
	own_fork.is_inside = false;
	qs_thread_inside = false;
}

bool qs_process_hear_of_forks(void)
{
	// Set before the call, because pthread_atfork may be hooked and call this function again.
	static bool hears_of_forks;
	if (__atomic_exchange_n(&hears_of_forks, true, __ATOMIC_RELAXED)) return true;
	hears_of_forks = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
	return hears_of_forks;
}

bool qs_process_prepare(void)
{
	return qs_process_hear_of_forks() && qs_streams_prepare(&qs_thread_events);
}
