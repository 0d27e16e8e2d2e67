// One trace by two recorders in one process: the preload object has the first, a program that links Queuescope the second. The second records into the first
// one's directory what only it knows, signposts and labelled locks, in streams of its own; libdispatch's calls are recorded by the hooks alone.
//
// The first is found by an ELF note in its object, which says where its description lies: nothing has to be exported.
#ifndef QS_SHARED_SESSION_H
#define QS_SHARED_SESSION_H

#include <stdbool.h>
#include <stdint.h>

enum {
	QS_SHARED_VERSION = 2,
	// Where the second recorder's numbers begin: of streams, and of code and stacks.
	QS_SHARED_FIRST_STREAM = 10000,
	QS_SHARED_FIRST_CODE = 1 << 20,
};

struct qs_lttng_port;

struct qs_shared_session {
	uint32_t version;
	uint32_t reserved;
	uint32_t *epoch;        // not 0: it records
	const char *directory;
	const uint8_t *uuid;
	const int *clock_kind;
	const struct qs_lttng_port *lttng; // not NULL: it records into LTTng's sessions, now or when one starts
};

// The preloaded recorder's session, NULL when there is none that records. NULL in the preload object itself.
const struct qs_shared_session *qs_shared_session_find(void);

// Lets a second recorder write through this one's connection to LTTng. Does nothing outside of the preload object.
void qs_shared_session_offer_lttng(void);

#endif
