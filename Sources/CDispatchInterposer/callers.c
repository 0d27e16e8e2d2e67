#define _GNU_SOURCE
#include "callers.h"

#include <execinfo.h>
#include <link.h>
#include <string.h>

enum {
	// This function, the hook, and more than the overlay ever has on top of each other.
	MAX_FRAMES = 12,
};

// Written once, size last.
static struct qs_text_range overlay;
// Libraries loaded over the process's life when it was looked for last.
static uint64_t loads_at_search;

static int look_at_loads(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	*(uint64_t *)context = info->dlpi_adds;
	return 1;
}

static int look_for_overlay(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	(void)context;
	if (info->dlpi_name == NULL || strstr(info->dlpi_name, "libswiftDispatch.so") == NULL) return 0;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
		__atomic_store_n(&overlay.begin, info->dlpi_addr + segment->p_vaddr, __ATOMIC_RELAXED);
		__atomic_store_n(&overlay.size, segment->p_memsz, __ATOMIC_RELEASE);
	}
	return 1;
}

bool qs_is_in_overlay(uintptr_t address)
{
	uintptr_t size = __atomic_load_n(&overlay.size, __ATOMIC_ACQUIRE);
	if (size == 0) {
		uint64_t loads = 0;
		dl_iterate_phdr(look_at_loads, &loads);
		if (__atomic_exchange_n(&loads_at_search, loads, __ATOMIC_RELAXED) == loads) return false;
		dl_iterate_phdr(look_for_overlay, NULL);
		size = __atomic_load_n(&overlay.size, __ATOMIC_ACQUIRE);
	}
	return address - __atomic_load_n(&overlay.begin, __ATOMIC_RELAXED) < size;
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
