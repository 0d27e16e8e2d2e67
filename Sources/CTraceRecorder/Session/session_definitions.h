// Definitions that a session writes at its start, and again when earlier ones may be missing.
#ifndef QS_SESSION_DEFINITIONS_H
#define QS_SESSION_DEFINITIONS_H

// Writes the definitions of everything that exists when a session with files starts.
void qs_session_define(void);

// Writes all definitions of the session again, except the images. Context: the recorder thread or the watch thread, as
// a program thread (without qs_thread_inside).
void qs_session_define_again(void);

// Writes the definitions that later events refer to, for LTTng's sessions that do not have them: because they started
// later, the definitions were overwritten, or they are in another chunk of a rotated session.
void qs_lttng_statedump(void);

#endif
