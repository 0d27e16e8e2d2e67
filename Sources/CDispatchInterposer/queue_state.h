// Queue members that the hot paths read, at constant offsets. Members that are read once per queue (label and width)
// are read by the recorder's queue_layout.c, which uses the offsets that libdispatch exports and also works for
// programs without hooks.
#ifndef QS_QUEUE_STATE_H
#define QS_QUEUE_STATE_H

#include <string.h>

#include "hooks.h"

// Offsets of members of dispatch_queue_t in the libdispatch of the Swift toolchain. They are constants because the
// hottest paths read them. The constructor compares them with the offsets that libdispatch exports.
enum {
	QS_QUEUE_TARGET = 24,
	// The word whose low half is the thread that drains the queue. Its offset is not exported; it precedes the serial
	// number.
	QS_QUEUE_STATE = 56,
	QS_QUEUE_SERIAL = 64,
	QS_QUEUE_WIDTH = 80,
};

// Whether the offsets are valid. Otherwise queues have no numbers, and a sync is only seen to wait when it sleeps.
extern bool qs_queue_layout_is_known;

// The serial number, 0 when the layout is not known.
static inline uint64_t qs_serial(const void *queue)
{
	uint64_t serial;
	if (qs_unlikely(!qs_queue_layout_is_known)) return 0;
	memcpy(&serial, (const char *)queue + QS_QUEUE_SERIAL, sizeof serial);
	return serial;
}

static inline const void *qs_target(const void *queue)
{
	const void *target;
	if (qs_unlikely(!qs_queue_layout_is_known)) return NULL;
	memcpy(&target, (const char *)queue + QS_QUEUE_TARGET, sizeof target);
	return target;
}

// The whole state word, 0 when the layout is not known.
static inline uint64_t qs_queue_state_word(const void *queue)
{
	if (qs_unlikely(!qs_queue_layout_is_known)) return 0;
	return __atomic_load_n((const uint64_t *)((const char *)queue + QS_QUEUE_STATE), __ATOMIC_RELAXED);
}

// Whether a queue or source was created inactive and is not active yet, from libdispatch's queue_internal.h.
static inline bool qs_queue_is_inactive(const void *queue)
{
	const uint64_t inactive = 0x0180000000000000;
	return (qs_queue_state_word(queue) & inactive) == inactive;
}

// Whether the queue is suspended, by the program or by libdispatch.
static inline bool qs_queue_is_suspended(const void *queue)
{
	return qs_queue_state_word(queue) >> 57 != 0;
}

// Whether libdispatch rejects the release of the last reference: suspended, inactive, or about to be activated.
static inline bool qs_queue_rejects_last_release(const void *queue)
{
	return qs_queue_state_word(queue) >> 55 != 0;
}

// Whether a resume would have no suspension to undo. A resume activates an inactive source.
static inline bool qs_queue_has_no_suspension(const void *queue, bool is_source)
{
	if (qs_unlikely(!qs_queue_layout_is_known)) return false;
	return !qs_queue_is_suspended(queue) && !(is_source && qs_queue_is_inactive(queue));
}

// The QoS class with which the queue was created.
static inline uint8_t qs_queue_qos(const void *queue)
{
	return qs_helpers.queue_get_qos_class != NULL ? (uint8_t)qs_helpers.queue_get_qos_class((void *)queue, NULL) : 0;
}

static inline uint32_t qs_queue_atomic_flags(const void *queue)
{
	if (qs_unlikely(!qs_queue_layout_is_known)) return 0;
	return __atomic_load_n((const uint32_t *)((const char *)queue + QS_QUEUE_WIDTH), __ATOMIC_RELAXED);
}

// Flags next to the width, from the same header: the target may still change; another object targets the queue.
static inline bool qs_queue_is_mutable(const void *queue)
{
	return (qs_queue_atomic_flags(queue) & 0x00400000) != 0;
}

static inline bool qs_queue_is_targeted(const void *queue)
{
	return (qs_queue_atomic_flags(queue) & 0x00100000) != 0;
}

// The thread that holds this queue, 0 when none does. A racy read: the owner may change at any time.
static inline uint32_t qs_queue_owner(const void *queue)
{
	const uint32_t *word = (const uint32_t *)((const char *)queue + QS_QUEUE_STATE);
	return __atomic_load_n(word, __ATOMIC_RELAXED) & 0x3FFFFFFF;
}

// The first queue from `queue` towards the root that a thread other than `except` holds, or NULL. Root queues have no
// holder.
static inline const void *qs_held_level(const void *queue, uint32_t except, uint32_t *holder)
{
	for (const void *level = queue;;) {
		const void *target = qs_target(level);
		if (target == NULL) return NULL;
		uint32_t owner = qs_queue_owner(level);
		if (qs_unlikely(owner != 0 && owner != except)) {
			*holder = owner;
			return level;
		}
		level = target;
	}
}

#endif
