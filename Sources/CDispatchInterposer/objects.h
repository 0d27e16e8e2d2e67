// The live objects that the program made: queues, workloops and sources, by address. Kept while no session records too,
// so that a later one can tell who made and who activated an object.
//
// Callers get copies: another thread may release the object at any time, and its entry is another object's then.
#ifndef QS_OBJECTS_H
#define QS_OBJECTS_H

#include "hooks.h"

enum {
	// Of a longer label, sessions that start later see this much.
	QS_LABEL_BYTES = 112,
};

// The flags of a queue's definition, as the catalogue has them.
enum {
	QS_QUEUE_IS_MAIN = 1,
	QS_QUEUE_IS_GLOBAL = 2,
	QS_QUEUE_IS_OVERCOMMIT = 4,
	QS_QUEUE_IS_WORKLOOP = 8,
	QS_QUEUE_IS_CREATED_INACTIVE = 16,
	QS_QUEUE_IS_SEEN = 32,
	QS_QUEUE_IS_MUTABLE = 64,
};

// The flags of a source's definition, as the catalogue has them.
enum {
	QS_SOURCE_IS_STRICT = 1,
	QS_SOURCE_IS_SEEN = 2,
	QS_SOURCE_HAS_EVENT_HANDLER = 4,
	QS_SOURCE_IS_ACTIVE = 8,
};

struct qs_object_info {
	struct qs_object_info *next;   // in the registry; a copy has its original here
	const void *object;
	uintptr_t creation;            // return address of the call that made it
	uintptr_t activation;          // the same of its activation; valid when it is activated
	uint64_t handle;               // a source's
	void *context;                 // the one that a source had at its activation: for its event handler function
	uint32_t target;               // serial number of its target queue
	uint32_t serial;               // a queue's serial number, 0 for sources
	uint32_t activation_stack;     // a stack's number in activation_session
	uint32_t activation_session;
	uint32_t defined_session;      // the session whose trace has its definition
	uint16_t width;                // a queue's
	uint8_t kind;                  // enum qs_object_kind: queue, workloop or source
	uint8_t qos;                   // a queue's
	uint8_t flags;                 // of its definition: QS_QUEUE_… or QS_SOURCE_…
	uint8_t source_type;           // enum qs_source_type
	bool is_activated;             // sources start inactive
	char label[QS_LABEL_BYTES];    // a queue's
};

// Whether the call of this hook is the program's own, recorded or not. Use in the hook itself: it looks at the return
// address.
#define qs_hook_is_called_by_program() \
	(!qs_is_in_libdispatch(__builtin_return_address(0)) && !qs_is_in_hooks(__builtin_return_address(0)))

// Enters a new object, with what `info` has; a former one at the address is forgotten. Without memory it is not known
// then. For a source set kind, creation, source_type, handle, target and flags, and after source_create is
// recorded defined_session. Takes the registry's lock for a moment.
void qs_object_add(const void *object, const struct qs_object_info *info);

// Copies what is known of an object; false when the program did not make it, or made it before the hooks were there.
// Takes the registry's lock for a moment.
bool qs_object_find(const void *object, struct qs_object_info *copy);

// Forgets an object whose last reference goes away now, before libdispatch gets to know: its address may be another
// object's at once. Copies its entry; false when there is none. Takes the registry's lock for a moment.
bool qs_object_remove(const void *object, struct qs_object_info *copy);

// What the `object` fields of events have: a queue's serial number, a source's address.
static inline uint64_t qs_object_id(const struct qs_object_info *info)
{
	return info->serial != 0 ? info->serial : (uint64_t)(uintptr_t)info->object;
}

// The code and the stack of the activation for this session's events; 0 when not known.
static inline uint32_t qs_object_activation_code(const struct qs_object_info *info)
{
	return info->activation != 0 ? qs_code_address(info->activation, 0) : 0;
}

static inline uint32_t qs_object_activation_stack(const struct qs_object_info *info)
{
	return info->activation_session == qs_session_number() ? info->activation_stack : 0;
}

// Notes the activation by the code at `activation`, with a stack of this session (0 when not taken), of an object that
// qs_object_find copied. Call before libdispatch activates it. False when it was active before, or is not known any
// more.
bool qs_object_note_activation(const struct qs_object_info *copy, uintptr_t activation, uint32_t stack);

// Registers the handlers of forks that the objects need, as qs_process_hear_of_forks.
void qs_objects_hear_of_forks(void);

// Notes a new target.
void qs_object_note_target(const void *object, uint32_t target);

// The same for a source whose event handler is about to be set or removed, which it notes.
bool qs_object_find_for_event_handler(const void *source, bool has_handler, struct qs_object_info *copy);

// For definitions of what exists: copies an object that the session's trace does not define yet, and marks it as
// defined. False when there is none. `bucket` starts at 0.
bool qs_object_next_undefined(uint32_t session, uint32_t *bucket, struct qs_object_info *copy);

#endif
