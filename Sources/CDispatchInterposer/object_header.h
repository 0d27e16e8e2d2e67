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
