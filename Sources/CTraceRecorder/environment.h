// Recording that the environment asks for.
#ifndef QS_ENVIRONMENT_H
#define QS_ENVIRONMENT_H

#include <stdbool.h>

// Set by a constructor with a priority below 201 when the process is not to be recorded before something happens that calls qs_session_start_from_environment.
extern bool qs_start_is_deferred;

// Registers the recorder's handlers of forks; once. What is registered first takes its locks last. Context: any
// constructor.
bool qs_process_hear_of_forks(void);

// Has forks and the ends of threads noticed, and memory for streams reserved; once. False when there is no memory. Context: a constructor, or a session's
// start.
bool qs_process_prepare(void);

// Starts a session when QUEUESCOPE_TRACE names a directory and this process is the one to be recorded. What went wrong is said on standard error; the program
// runs on. Whether a session was started.
bool qs_session_start_from_environment(void);

// Whether a variable of the environment, with its value, is one by which the recorder is told what to do.
bool qs_environment_is_ours(const char *variable);

// Whether the programs that this one starts are to be recorded too, so that what loads the recorder into them must stay in the environment.
bool qs_environment_follows_children(void);

#endif
