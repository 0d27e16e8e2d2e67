#include "callers.h"

#include <execinfo.h>

#include "text_map.h"

enum {
	// This function, the hook, and more than the overlay ever has on top of each other.
	MAX_FRAMES = 12,
};

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
