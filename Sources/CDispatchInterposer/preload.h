#ifndef QS_PRELOAD_H
#define QS_PRELOAD_H

// Starts the session that the environment asks for, and cleans the environment. Called once, when libdispatch is in the
// process.
void qs_start_preloaded_session(void);

// Keeps a libdispatch that the program opened late from being unloaded: the hooks have its addresses.
void qs_keep_libdispatch(void);

#endif
