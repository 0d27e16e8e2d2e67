// LTTng as the place where events go, instead of the ring buffer's files.
//
// The generated writers write an event's payload into a buffer of the thread (a stream without a packet), from which the probe of the
// tracepoint copies it into LTTng's. What LTTng's sessions have not enabled costs a look at the tracepoint's state; while none of our events
// is enabled no session records at all.
//
// liblttng-ust is opened when the process starts, and only where it is to be used: nothing here needs it to be installed.
#ifndef QS_LTTNG_H
#define QS_LTTNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a second recorder in the process uses of the first one's, see shared_session.h.
struct qs_lttng_port {
	bool (*is_enabled)(uint8_t id);
	// Context: any thread, also a signal handler. Blocks: never.
	void (*emit)(uint8_t id, const unsigned char *payload, size_t size);
	void (*follow)(void (*statedump)(void)); // called with every statedump of the first
};

// This recorder's port; its events go there while qs_session.lttng has it.
extern const struct qs_lttng_port qs_lttng_own_port;

// Opens liblttng-ust and registers the provider, which waits for the session daemon to answer. NULL when that worked, otherwise what
// is missing. Blocks: up to LTTNG_UST_REGISTER_TIMEOUT. Context: not under a lock.
const char *qs_lttng_register(void);

// Whether the program has liblttng-ust in it, which no session can do without. Context: any thread. Allocates: nothing.
bool qs_lttng_is_loaded(void);

// Whether a session daemon seems to run: its socket exists.
bool qs_lttng_daemon_is_there(void);

// Whether a session of LTTng has one of our events enabled.
bool qs_lttng_is_wanted(void);

// A number that changes when sessions start or stop.
uint64_t qs_lttng_sessions(void);

// Has the function called, on a thread of LTTng, when a session starts and with `lttng regenerate statedump`.
void qs_lttng_hear_of_statedumps(void (*function)(void));

// Starts and stops the thread that starts and stops recording along with LTTng's sessions, and writes the definitions again.
void qs_lttng_watch_start(void);
void qs_lttng_watch_stop(void);

// Tells that thread of an event that was written, so that the definitions come again before they are overwritten. Context: any thread, also a
// signal handler. Blocks: never.
void qs_lttng_watch_note(size_t size);

// In a forked child, where that thread is not.
void qs_lttng_watch_forget(void);

// Writes what later events refer to, for sessions that do not have it: what existed before they started, or was overwritten, or is in
// another chunk of a rotated session.
void qs_lttng_statedump(void);

#endif
