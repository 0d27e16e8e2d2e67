// What the hooks do at the start and at the end of a session.
#ifndef QS_SESSION_HOOKS_H
#define QS_SESSION_HOOKS_H

#include <stdbool.h>

struct qs_session_hooks {
	// Before the first event of a session. Context: under the session's lock.
	void (*begin)(void);
	// After the last event of a session, in a process that continues. Context: under the session's lock.
	void (*end)(void);
};

// Declares that hooks record every call into libdispatch: from the next session on qs_records_wrapper is false. Context:
// a constructor.
void qs_set_session_hooks(const struct qs_session_hooks *hooks);

// Whether qs_set_session_hooks was called.
bool qs_is_interposed(void);

// Call the functions of the hooks, if there are any.
void qs_session_hooks_begin(void);
void qs_session_hooks_end(void);

#endif
