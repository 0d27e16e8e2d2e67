#ifndef QS_PRELOAD_H
#define QS_PRELOAD_H

// Starts the session that the environment requests, and cleans the environment. Called once, when libdispatch is in the
// process.
void qs_start_preloaded_session(void);

// The same for a program that opened libdispatch late.
void qs_start_preloaded_session_late(void);

#endif
