// Objects that a session encounters for the first time after their creation: they existed when the session started, or
// no hook saw their creation. Nothing is recorded about them before. Their label, width, target, QoS and
// type are read from the object at its first use in a session, and written to the trace as a definition without the
// creating code.
#ifndef QS_ENCOUNTERS_H
#define QS_ENCOUNTERS_H

#include "objects.h"
#include "queue_state.h"

// Copies the registry's entry of a queue, workloop or source that the program uses. Describes and defines the object
// first if the session has not encountered it. Returns false for other objects, for queues that libdispatch never
// frees, and when no session records. Takes the registry's lock briefly. Context: the caller has a reference.
bool qs_object_encounter(const void *object, struct qs_object_info *copy);

// Defines a source that a session is about to use, if necessary. Cheap when this session has used it before.
void qs_source_encounter(const void *source);

// Notes an object that was created in this session: its later uses need no look-up. `session` is the number of the
// session before the creation.
void qs_object_note_creation(const struct qs_object_info *info, uint32_t session);

// Begins a session, before its first event.
void qs_encounters_begin(void);

// The smallest serial number of a queue that was created in this session. The creation defined it and all later ones.
extern uint64_t qs_first_created_serial; // atomic

// Slow path of qs_queue_number.
QS_SLOW_PATH void qs_queue_encounter(const void *queue, uint64_t serial);

// The value of the `queue` fields of events: the serial number of a queue, which is defined in the session.
static inline uint64_t qs_queue_number(const void *queue)
{
	// Queues that libdispatch never frees have smaller numbers. A statedump defines them. From its queue_internal.h:
	// DISPATCH_QUEUE_SERIAL_NUMBER_INIT.
	enum { FIRST_OF_PROGRAM = 17 };
	uint64_t serial = qs_serial(queue);
	uint64_t created = __atomic_load_n(&qs_first_created_serial, __ATOMIC_RELAXED);
	if (qs_unlikely(serial - FIRST_OF_PROGRAM < created - FIRST_OF_PROGRAM)) qs_queue_encounter(queue, serial);
	return serial;
}

#endif
