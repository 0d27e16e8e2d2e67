// Where the process's code lies, to tell a pointer to code from other words, and the libraries that say nothing about the program.
#ifndef QS_TEXT_MAP_H
#define QS_TEXT_MAP_H

#include "hooks.h"

enum { QS_MAX_TEXTS = 512 };

// The executable segments of the process, sorted.
struct qs_text_map {
	uint64_t loads;                        // libraries loaded over the process's life when it was made
	int count;
	struct qs_text_range swift_concurrency;
	struct qs_text_range swift_dispatch;   // the overlay; empty in a static program, where it is not told apart
	struct qs_text_range ranges[QS_MAX_TEXTS];
};

// The map as it was made last; NULL before qs_text_map_for was called.
const struct qs_text_map *qs_text_map(void);

// A map that knows this address, which is code for sure: made again when libraries were loaded since. NULL when there is no memory for one.
const struct qs_text_map *qs_text_map_for(uintptr_t code);

bool qs_text_contains(const struct qs_text_map *map, uintptr_t address);

static inline bool qs_text_is_in(struct qs_text_range range, uintptr_t address)
{
	return address - range.begin < range.size;
}

#endif
