// The header of every libdispatch object, from its object_private.h. A count of 0 means one reference.
#ifndef QS_OBJECT_HEADER_H
#define QS_OBJECT_HEADER_H

#include <limits.h>

#include "hooks.h"

struct qs_object_header {
	const void *isa;
	int references;           // internal references; all references of the program together count as one of them
	int external_references;  // references of the program
};

enum { QS_IMMORTAL = INT_MAX };

// Whether objects have this layout. Checked on the main queue, which is never freed.
static inline bool qs_object_header_is_known(void)
{
	const struct qs_object_header *header = qs_helpers.main_queue;
	return header != NULL && header->references == QS_IMMORTAL && header->external_references == QS_IMMORTAL;
}

// Types of objects, from libdispatch's object_internal.h.
enum {
	QS_TYPE_CLUSTER = 0xFF,
	QS_TYPE_LANE = 0x11,     // serial and concurrent queues
	QS_TYPE_WORKLOOP = 0x12,
	QS_TYPE_SOURCE = 0x13,
	QS_TYPE_GROUP = 0x201,
};

// The type of an object: the third word of its class.
static inline uintptr_t qs_object_type(const void *object)
{
	const uintptr_t *class = ((const struct qs_object_header *)object)->isa;
	return class[2];
}

// Whether objects have these types. Checked on the main queue.
static inline bool qs_object_types_are_known(void)
{
	return qs_object_header_is_known() && (qs_object_type(qs_helpers.main_queue) & QS_TYPE_CLUSTER) == QS_TYPE_LANE;
}

// Whether an object is a queue, a workloop or a source. Valid if qs_object_types_are_known.
static inline bool qs_is_queue_or_source(const void *object)
{
	uintptr_t cluster = qs_object_type(object) & QS_TYPE_CLUSTER;
	return cluster == QS_TYPE_LANE || cluster == QS_TYPE_WORKLOOP || cluster == QS_TYPE_SOURCE;
}

// Releases one reference unless it is the last one, which only libdispatch may release.
static inline bool qs_references_drop(int *references)
{
	int count = __atomic_load_n(references, __ATOMIC_RELAXED);
	while (count > 0 && count != QS_IMMORTAL) {
		const int success = __ATOMIC_RELEASE, failure = __ATOMIC_RELAXED;
		if (__atomic_compare_exchange_n(references, &count, count - 1, true, success, failure)) return true;
	}
	return false;
}

#endif
