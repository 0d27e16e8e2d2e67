// Sessions that the environment requests.
#ifndef QS_ENVIRONMENT_H
#define QS_ENVIRONMENT_H

#include <stdbool.h>

// Starts a session when QUEUESCOPE_TRACE names a directory and this process is the one to record, and opens the control
// socket. Prints errors on
// standard error; the program then runs without being recorded. Returns whether a session was started.
bool qs_session_start_from_environment(void);

// Whether this environment variable ("NAME=VALUE") configures the recorder.
bool qs_environment_is_ours(const char *variable);

// Whether the child programs of this program are to be recorded too, so that the variable that loads the recorder must
// stay in the environment.
bool qs_environment_follows_children(void);

#endif
