// Looks symbols up in the loaded objects: instead of dlsym, which allocates for a symbol that is missing (and before
// glibc 2.34 on other threads than the first also for one that is there), and before glibc 2.36 answers with the oldest
// version of a symbol rather than the default one.
#ifndef QS_LOADED_SYMBOLS_H
#define QS_LOADED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct qs_wanted_symbol {
	const char *name;
	void **address;       // where the result goes; nothing is looked up for a place that has one
	const char *version;  // NULL: the default version
	bool is_variable;     // may have been copied into the program when that was linked: then the copy counts
};

// Looks for the next definitions after this object's own, in the order in which the dynamic linker searches; libraries
// that were opened for their opener alone come last. What is not there is left as it is. Context: any thread, before
// any constructor too. Allocates: no. Blocks: takes the loader's lock.
void qs_symbols_find(const struct qs_wanted_symbol *wanted, size_t count);

// The path by which this object was loaded; "" for the executable.
const char *qs_own_path(void);

#endif
