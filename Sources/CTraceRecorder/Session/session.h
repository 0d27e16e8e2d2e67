// Start and end of a session.
#ifndef QS_SESSION_H
#define QS_SESSION_H

#include <stdbool.h>

struct qs_session_options;

// The same as qs_session_start, with a path that is used as it is, and the pattern that the directories of earlier
// sessions match.
int qs_session_start_in(
	const char *directory, const char *pattern, const struct qs_session_options *options, int *system_error);

// Starts to record into LTTng's sessions. Returns false when a session already records. Context: as qs_session_start.
bool qs_session_start_for_lttng(void);

// Joins the session of the preloaded recorder. Returns false when there is none.
bool qs_session_join(void);

// Stops the session at the end of the process. Cheaper than qs_session_stop, because the memory is not unmapped.
void qs_session_end(void);

#endif
