// Looks up symbols in the loaded objects. It replaces dlsym, which allocates for a missing symbol (before glibc 2.34
// also for an existing one on other threads than the first), and which returns the oldest instead of the default
// version of a symbol before glibc 2.36.
#ifndef QS_LOADED_SYMBOLS_H
#define QS_LOADED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct qs_wanted_symbol {
	const char *name;
	void **address;       // receives the result; a place that is not NULL is left unchanged
	const char *version;  // NULL: the default version
	bool is_variable;     // the linker may have copied it into the program; the copy is used then
};

// Searches for the first definitions outside of the preload object, or for the next definitions after the program that
// links the hooks, in the search order of the dynamic linker. For a hook that the preload object exports, the first
// definition after the object is found. Libraries that were opened with RTLD_LOCAL come last. The addresses of missing
// symbols stay unchanged. Context: any thread, also before constructors. Allocates: no. Blocks: takes the loader's
// lock.
void qs_symbols_find(const struct qs_wanted_symbol *wanted, size_t count);

// The path of this loaded object; "" for the executable.
const char *qs_own_path(void);

#endif
