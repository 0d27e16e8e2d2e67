// One trace by two recorders in one process: the first is in the preload object, the second in a program that links
// Queuescope. The second records signposts and labelled locks, into the first one's directory, in its own streams.
// Calls of libdispatch are recorded only by the hooks.
//
// The second recorder finds the first one by an ELF note in its object, which contains the position of the description
// below. So the object exports no symbol.
#ifndef QS_SHARED_SESSION_H
#define QS_SHARED_SESSION_H

#include <stdbool.h>
#include <stdint.h>

enum { QS_SHARED_VERSION = 3 };

struct qs_lttng_port;

struct qs_shared_session {
	uint32_t version;
	uint32_t flight_mebibytes; // limit of a flight recorder; 0: it overwrites nothing, or is of an earlier version
	uint32_t *epoch;        // not 0: recording
	const char *directory;
	const uint8_t *uuid;
	const int *clock_kind;
	// Atomic: the recorder thread of the second recorder, 0: none. Its threads are not recorded.
	uint32_t *second_recorder;
	const struct qs_lttng_port *lttng; // not NULL: records into LTTng's sessions, now or when one starts
};

// Session of the preloaded recorder, NULL when it does not record. Always NULL in the preload object itself.
const struct qs_shared_session *qs_shared_session_find(void);

// Part of a flight recorder's limit that the second recorder may use in addition.
enum { QS_SHARED_LIMIT_PARTS = 8 };

// Tells a second recorder the limit of this session in bytes, 0 if it overwrites nothing. Does nothing outside of the
// preload object. Context: a session's start.
void qs_shared_session_offer_limit(uint64_t limit);

// Lets a second recorder write through this recorder's connection to LTTng. Does nothing outside of the preload object.
void qs_shared_session_offer_lttng(void);

#endif
