// Connection of the events to LTTng, as the event writers see it.
#ifndef QS_LTTNG_PORT_H
#define QS_LTTNG_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Functions of the first recorder in a process that a second recorder uses, see shared_session.h.
struct qs_lttng_port {
	bool (*is_enabled)(uint8_t id);
	// Context: any thread, also a signal handler. Blocks: never.
	void (*emit)(uint8_t id, const unsigned char *payload, size_t size);
	void (*follow)(void (*statedump)(void)); // called with every statedump of the first
};

#endif
