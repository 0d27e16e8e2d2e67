// Start of a session with the process, and its stop at the process's exit.
#ifndef QS_PROCESS_EVENTS_H
#define QS_PROCESS_EVENTS_H

#include <stdbool.h>

// Set by the preload's constructor (priority below 201) to defer the start until libdispatch is loaded, when
// qs_session_start_from_environment is called.
extern bool qs_start_is_deferred;

#endif
