// Start with the process, stop at its exit.
#include "process_events.h"

#include <stddef.h>

#include "../Gate/thread_guard.h"
#include "../LTTng/lttng.h"
#include "control.h"
#include "environment.h"
#include "fork_handlers.h"
#include "session.h"

bool qs_start_is_deferred;

// Defined by the queuescope command, which SwiftPM links with the recorder of the programs that are built along with
// it. The command is never recorded, and it needs the variables for the program that it starts.
extern void queuescope_is_never_recorded(void) __attribute__((weak));

// Automatic start: early, so that the trace has the actions of other constructors, and so that no event inside an
// allocator has to initialize the recorder. Does nothing in a program without libdispatch.
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
	qs_control_abandon(); // no session starts from here on
	qs_lttng_watch_stop();
	qs_session_end();
}
