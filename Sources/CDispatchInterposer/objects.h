// Registry of the live objects that a session has encountered: queues, workloops and sources, by address. It contains
// the objects that the program created during the session, and older objects from their first use: see encounters.h.
// Between sessions it is empty, and a program that is not recorded never adds an object.
//
// Callers get copies: another thread may release the object at any time, and the entry then belongs to another object.
#ifndef QS_OBJECTS_H
#define QS_OBJECTS_H

#include "hooks.h"

enum {
	// Longer labels are cut to this size in definitions that are written again.
	QS_LABEL_BYTES = 112,
};

// Flags of a queue's definition, as in the catalogue.
enum {
	QS_QUEUE_IS_MAIN = 1,
	QS_QUEUE_IS_GLOBAL = 2,
	QS_QUEUE_IS_OVERCOMMIT = 4,
	QS_QUEUE_IS_WORKLOOP = 8,
	QS_QUEUE_IS_CREATED_INACTIVE = 16,
	QS_QUEUE_IS_SEEN = 32,
	QS_QUEUE_IS_MUTABLE = 64,
};

// Flags of a source's definition, as in the catalogue.
enum {
	QS_SOURCE_IS_STRICT = 1,
	QS_SOURCE_IS_SEEN = 2,
	QS_SOURCE_HAS_EVENT_HANDLER = 4,
	QS_SOURCE_IS_ACTIVE = 8,
};

struct qs_object_info {
	struct qs_object_info *next;   // in the registry
	const void *object;
	uintptr_t creation;            // return address of the call that created it
	uintptr_t activation;          // return address of the call that activated it; valid if is_activated
	union {
		uint64_t serial;           // a queue's or workloop's serial number
		uint64_t handle;           // a source's handle
	};
	uint64_t target;               // serial number of the target queue
	void *context;                 // a source's context at its activation, for an event handler function
	uint32_t activation_stack;     // a stack's number in activation_session
	uint32_t activation_session;
	uint32_t defined_session;      // the session whose trace has the definition
	uint16_t width;                // a queue's width
	uint8_t kind;                  // enum qs_object_kind: queue, workloop or source
	uint8_t qos;                   // a queue's QoS class
	uint8_t flags;                 // of the definition: QS_QUEUE_… or QS_SOURCE_…
	uint8_t source_type;           // enum qs_source_type
	bool is_activated;             // sources start inactive
	uint8_t size_class;            // of the entry's memory
	char label[QS_LABEL_BYTES];    // a queue's label; the memory of an entry ends behind it
};

// Copies as much of a label as an entry has room for, cut at a character boundary (UTF-8).
void qs_object_set_label(struct qs_object_info *info, const char *label);

// Adds an object with the contents of `info`, and replaces an earlier entry for the address. Without memory the object
// is not added. The caller writes the definition and sets defined_session. Takes the registry's lock briefly.
void qs_object_add(const void *object, const struct qs_object_info *info);

// Copies the entry of an object. Returns false when the session has not encountered it, and when no session records.
// Takes the registry's lock briefly.
bool qs_object_find(const void *object, struct qs_object_info *copy);

// Removes an object whose last reference is about to be released. Call before libdispatch releases it, because its
// address may be reused at once. Copies the entry; returns false when there is none. Takes the registry's lock briefly.
bool qs_object_remove(const void *object, struct qs_object_info *copy);

// The value of the `object` fields of events: a queue's serial number or a source's address.
static inline uint64_t qs_object_id(const struct qs_object_info *info)
{
	return info->kind == qs_object_kind_source ? (uint64_t)(uintptr_t)info->object : info->serial;
}

// The code and the stack of the activation, for events of this session; 0 when not known.
static inline uint32_t qs_object_activation_code(const struct qs_object_info *info)
{
	return info->activation != 0 ? qs_code_address(info->activation, 0) : 0;
}

static inline uint32_t qs_object_activation_stack(const struct qs_object_info *info)
{
	return info->activation_session == qs_session_number() ? info->activation_stack : 0;
}

// Notes the activation of an object that qs_object_find copied. `activation` is the return address of the call, `stack`
// a stack of this session (0 when not taken). Call before libdispatch activates the object. Returns false when the
// object was active before or is no longer in the registry.
bool qs_object_note_activation(const struct qs_object_info *copy, uintptr_t activation, uint32_t stack);

// Registers the registry's fork handlers, like qs_process_hear_of_forks.
void qs_objects_register_fork_handlers(void);

// Notes a new target.
void qs_object_note_target(const void *object, uint64_t target);

// Notes that a source's event handler is about to be set or removed.
void qs_object_note_event_handler(const void *source, bool has_handler);

// Iterates over objects without a definition in the session's trace: copies one and marks it as defined. Returns false
// when there is none. `bucket` starts at 0.
bool qs_object_next_undefined(uint32_t session, uint32_t *bucket, struct qs_object_info *copy);

// Removes all entries and returns their memory to the system. Context: when no session records. Blocks: takes the lock.
void qs_objects_forget(void);

#endif
