// LTTng as the destination of events, instead of files.
//
// The generated writers write an event's payload into a buffer of the thread (a stream without a packet). The probe of
// the tracepoint copies it from there into LTTng's buffers. An event that no LTTng session has enabled costs a load of
// the tracepoint's state. While none of the provider's events is enabled, no session records.
//
// liblttng-ust is opened when the process starts, and only if it is to be used, so it need not be installed.
#ifndef QS_LTTNG_H
#define QS_LTTNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../Events/lttng_port.h"

// Port of this recorder. Events go there while qs_identity.lttng points to it.
extern const struct qs_lttng_port qs_lttng_own_port;

// Opens liblttng-ust and registers the provider, which waits for the session daemon. Returns NULL on success, otherwise
// the reason for the failure. Blocks: up to LTTNG_UST_REGISTER_TIMEOUT. Context: not under a lock.
const char *qs_lttng_register(void);

// Whether the program has loaded liblttng-ust, which every LTTng session needs. Context: any thread. Allocates:
// nothing.
bool qs_lttng_is_loaded(void);

// Whether a session daemon seems to run: its socket exists.
bool qs_lttng_daemon_is_there(void);

// Whether an LTTng session has enabled one of the provider's events.
bool qs_lttng_is_wanted(void);

// A number that changes when sessions start or stop.
uint64_t qs_lttng_sessions(void);

// Registers the function that LTTng calls, on one of its threads, when a session starts and for `lttng regenerate
// statedump`.
void qs_lttng_hear_of_statedumps(void (*function)(void));

// Functions of session.h and session_definitions.h that the watch thread calls when LTTng's sessions change.
struct qs_lttng_control {
	bool (*start)(void);
	uint64_t (*stop)(void);
	void (*statedump)(void);
};

// Starts and stops the watch thread. It starts and stops recording together with LTTng's sessions, and repeats the
// definitions.
void qs_lttng_watch_start(const struct qs_lttng_control *control);
void qs_lttng_watch_stop(void);

// Resets the state in a forked child, which does not have that thread.
void qs_lttng_watch_forget(void);

// Writes the definitions of the second recorder, if one follows this one.
void qs_lttng_statedump_follower(void);

#endif
