#define _GNU_SOURCE
#include "text_map.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "call_code.h"

struct qs_text_range qs_overlay_text;

struct found_text {
	uintptr_t address;
	bool is_any;                  // what can be read will do, not only code
	bool is_readable;
	struct qs_text_range range;   // empty: not code
	const char *library;
};

static void look_into_segments(struct found_text *found, uintptr_t bias, const ElfW(Phdr) *segments, int count)
{
	for (int index = 0; index < count; index++) {
		if (segments[index].p_type != PT_LOAD) continue;
		if ((segments[index].p_flags & (found->is_any ? PF_R : PF_X)) == 0) continue;
		struct qs_text_range range = {bias + segments[index].p_vaddr, segments[index].p_memsz};
		if (found->address - range.begin >= range.size) continue;
		found->range = range;
		found->is_readable = (segments[index].p_flags & PF_R) != 0;
	}
}

static int look_into_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct found_text *found = context;
	look_into_segments(found, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum);
	found->library = info->dlpi_name;
	return found->range.size != 0;
}

// False where this cannot be told without the loader's lock.
static bool find_without_lock(struct found_text *found)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
	if (qs_helpers.find_object == NULL) return false;
	struct dl_find_object object;
	if (qs_helpers.find_object((void *)found->address, &object) != 0) return true;
	const ElfW(Ehdr) *header = object.dlfo_map_start;
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
	const ElfW(Phdr) *segments = (const ElfW(Phdr) *)((const char *)header + header->e_phoff);
	look_into_segments(found, object.dlfo_link_map->l_addr, segments, header->e_phnum);
	found->library = object.dlfo_link_map->l_name;
	return true;
#else
	(void)found;
	return false;
#endif
}

static void find(struct found_text *found)
{
	if (!find_without_lock(found)) dl_iterate_phdr(look_into_image, found);
}

// Whether a call ends where code that was found is.
static bool follows_call(const struct found_text *found)
{
	if (found->range.size == 0 || !found->is_readable || !qs_is_aligned_code(found->address)) return false;
	if (found->address - found->range.begin < QS_LONGEST_CALL) return false;
	return qs_ends_call((const uint8_t *)found->address - QS_LONGEST_CALL);
}

bool qs_is_return_address(uintptr_t address)
{
	struct found_text found = {.address = address};
	find(&found);
	return follows_call(&found);
}

bool qs_is_return_address_without_lock(uintptr_t address)
{
	struct found_text found = {.address = address};
	return find_without_lock(&found) && follows_call(&found);
}

bool qs_is_text(uintptr_t address)
{
	struct found_text found = {.address = address};
	find(&found);
	return found.range.size != 0;
}

enum qs_text_owner qs_text_owner(uintptr_t address)
{
	struct found_text found = {.address = address, .library = ""};
	find(&found);
	if (found.range.size == 0) return QS_TEXT_NONE;
	if (strstr(found.library, "/libswift_Concurrency.so") != NULL) return QS_TEXT_SWIFT_CONCURRENCY;
	if (strstr(found.library, "/libswiftCore.so") != NULL) return QS_TEXT_SWIFT_CORE;
	if (strstr(found.library, "/libswiftDispatch.so") == NULL) return QS_TEXT_PROGRAM;
	__atomic_store_n(&qs_overlay_text.begin, found.range.begin, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_overlay_text.size, found.range.size, __ATOMIC_RELEASE);
	return QS_TEXT_SWIFT_DISPATCH;
}

uintptr_t qs_async_code(uintptr_t word)
{
	if (word % sizeof(int32_t) != 0) return 0;
	struct found_text pointer = {.address = word, .is_any = true};
	find(&pointer);
	if (pointer.range.size == 0 || word - pointer.range.begin > pointer.range.size - sizeof(int32_t)) return 0;
	uintptr_t code = word + (uintptr_t)(intptr_t)*(const int32_t *)word;
	return qs_is_text(code) ? code : 0;
}
