// A pass over the slots of the loaded objects (slots.h). It writes the address of a hook or of an original into each.
#ifndef QS_SLOT_PASS_H
#define QS_SLOT_PASS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qs_slot_pass {
	bool restores;
	bool only_runtime;           // visits libdispatch and the Swift runtime only
	size_t objects;              // objects to visit, in the order of the loader's list
	uint64_t subs;               // libraries that were closed before these objects were listed
	bool has_changed;            // a library was closed since
	uintptr_t open_begin, open_end; // pages of the current object that were made writable
};

// Visits the slots of an object, which must be relocated. Context: a callback of dl_iterate_phdr, whose context is the
// pass.
int qs_slots_visit_object(struct dl_phdr_info *info, size_t size, void *pass);

#endif
