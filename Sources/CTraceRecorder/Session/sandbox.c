#include "sandbox.h"

#include "../Events/arena.h"
#include "../Events/identity.h"
#include "../Events/stream.h"
#include "../Gate/thread_guard.h"
#include "CTraceRecorder.h"

// Filters that this thread has installed: none can be removed.
static __thread unsigned filters __attribute__((tls_model("initial-exec")));

// Memory for events of this thread. Afterwards the thread cannot make the arena grow or wake the recorder's thread.
static void prepare_memory(void)
{
	enum { BLOCKS = 16 }; // 1 MiB
	for (int block = 0; block < BLOCKS && qs_arena_grow(); block++) {}
}

void qs_sandbox_begin(void)
{
	if (filters++ > 0) return;
	qs_current_tid();
	if (qs_is_recording() && !qs_thread_inside && qs_identity.lttng == NULL) prepare_memory();
	qs_can_unwind(__builtin_frame_address(0)); // finds the thread's stack
	bool is_lost;
	if (qs_is_recording() && !qs_thread_inside && qs_own_stream() == NULL) qs_stream_attach(&is_lost);
	qs_thread_is_sandboxed = true;
}

void qs_sandbox_cancel(void)
{
	if (--filters == 0) qs_thread_is_sandboxed = false;
}

void qs_sandbox_inherit(void)
{
	filters = 1;
	qs_thread_is_sandboxed = true;
	qs_thread_inside = true;
}
