// The hooks of the preload object by name, by their own address and by the address of their original.
#ifndef QS_HOOK_TABLE_H
#define QS_HOOK_TABLE_H

#include "hooks.h"

struct qs_hook {
	const char *name;
	const char *version;   // of the original's symbol; NULL: the default version
	uintptr_t address;
	void **original;       // in qs_originals
	bool is_exported;      // QS_EXPORTED_HOOK
};

// Finds the originals that are loaded, and indexes them. Context: any thread. Blocks: takes the loader's lock.
void qs_hooks_find_originals(void);

// The hook of a function with this name; `version` is NULL when the caller needs none. NULL when there is no hook.
const struct qs_hook *qs_hook_named(const char *name, const char *version);

// The hook whose original has this address; NULL when there is none.
const struct qs_hook *qs_hook_of_original(uintptr_t address);

// The hook with this address; NULL when there is none.
const struct qs_hook *qs_hook_at(uintptr_t address);

// The address of the original; 0 when it is not loaded.
static inline uintptr_t qs_hook_original(const struct qs_hook *hook)
{
	return (uintptr_t)__atomic_load_n(hook->original, __ATOMIC_RELAXED);
}

#endif
