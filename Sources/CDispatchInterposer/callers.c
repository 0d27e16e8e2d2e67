#include "callers.h"

#include <execinfo.h>

#include "text_map.h"

enum {
	// This function, the hook, and more than the overlay ever has on top of each other.
	MAX_FRAMES = 12,
};

bool qs_is_in_overlay(uintptr_t address)
{
	const struct qs_text_map *map = qs_text_map_for(address);
	return map != NULL && qs_text_is_in(map->swift_dispatch, address);
}

uintptr_t qs_program_caller(uintptr_t caller)
{
	if (!qs_is_in_overlay(caller)) return caller;
	void *frames[MAX_FRAMES];
	int count = backtrace(frames, MAX_FRAMES);
	int index = 0;
	while (index < count && (uintptr_t)frames[index] != caller) index++;
	while (index < count && qs_is_in_overlay((uintptr_t)frames[index])) index++;
	return index < count ? (uintptr_t)frames[index] : caller;
}
