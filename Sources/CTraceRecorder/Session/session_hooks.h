// Functions of the hooks that a session calls at its start, during it and at its end.
#ifndef QS_SESSION_HOOKS_H
#define QS_SESSION_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct qs_session_hooks {
	// Before the first event of a session. Context: under the session's lock.
	void (*begin)(void);
	// After the begin of recording. NULL: nothing. Context: no lock is held. Blocks: waits for the loader's lock.
	void (*install)(void);
	// During a session. Returns the time of the next call, in nanoseconds of CLOCK_MONOTONIC. NULL: nothing. Context:
	// the recorder thread. Blocks: waits for the loader's lock.
	int64_t (*tick)(int64_t now_ns);
	// After the last event of a session, in a process that continues. Context: under the session's lock.
	void (*end)(void);
};

// Declares that hooks record every call into libdispatch: from the next session on qs_records_wrapper is false.
// Context: a constructor.
void qs_set_session_hooks(const struct qs_session_hooks *hooks);

// Whether qs_set_session_hooks was called.
bool qs_is_interposed(void);

// Makes the recorder thread call `tick` soon. Context: any thread.
void qs_session_hooks_wake(void);

// Call the functions of the hooks, if there are any.
void qs_session_hooks_begin(void);
void qs_session_hooks_install(void);
int64_t qs_session_hooks_tick(int64_t now_ns);
void qs_session_hooks_end(void);

#endif
