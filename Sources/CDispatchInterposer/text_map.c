#define _GNU_SOURCE
#include "text_map.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "call_code.h"

struct qs_text_range qs_overlay_text;

struct found_text {
	uintptr_t address;
	bool is_any;                  // any readable memory is accepted, not only code
	uint8_t wanted, before;       // number of bytes to copy; the copy starts this many bytes before the address
	bool is_readable;
	bool is_copied;
	uint8_t bytes[QS_LONGEST_CALL];
	struct qs_text_range range;   // empty: not code
	enum qs_text_owner owner;     // not set when bytes are wanted
};

static void look_into_segments(struct found_text *found, uintptr_t bias, const ElfW(Phdr) *segments, size_t count)
{
	for (size_t index = 0; index < count; index++) {
		if (segments[index].p_type != PT_LOAD) continue;
		if ((segments[index].p_flags & (found->is_any ? PF_R : PF_X)) == 0) continue;
		struct qs_text_range range = {bias + segments[index].p_vaddr, segments[index].p_memsz};
		if (found->address - range.begin >= range.size) continue;
		found->range = range;
		found->is_readable = (segments[index].p_flags & PF_R) != 0;
	}
}

// Whether the bytes to copy are inside the range.
static bool can_copy(const struct found_text *found)
{
	uintptr_t offset = found->address - found->range.begin;
	return found->is_readable && offset >= found->before
		&& found->range.size - offset >= (uintptr_t)found->wanted - found->before;
}

#ifdef QS_FRONT_END_WRAP

// Code of the Swift runtime in a static program that is linked with runtime_sections.ld. Without this script the linker
// defines none of these symbols, and the runtime is not distinguished from the program.
#define QS_SECTION(name) \
	extern const char __start_##name[] __attribute__((weak, visibility("hidden"))); \
	extern const char __stop_##name[] __attribute__((weak, visibility("hidden")));
QS_SECTION(qs_swift_dispatch)
QS_SECTION(qs_swift_concurrency)
QS_SECTION(qs_swift_core)

static void look_into_sections(struct found_text *found)
{
	const struct {
		const char *begin, *end;
		enum qs_text_owner owner;
	} sections[] = {
		{__start_qs_swift_dispatch, __stop_qs_swift_dispatch, QS_TEXT_SWIFT_DISPATCH},
		{__start_qs_swift_concurrency, __stop_qs_swift_concurrency, QS_TEXT_SWIFT_CONCURRENCY},
		{__start_qs_swift_core, __stop_qs_swift_core, QS_TEXT_SWIFT_CORE},
	};
	for (size_t index = 0; index < sizeof sections / sizeof sections[0]; index++) {
		struct qs_text_range range = {
			(uintptr_t)sections[index].begin, (uintptr_t)sections[index].end - (uintptr_t)sections[index].begin};
		if (found->address - range.begin >= range.size) continue;
		found->range = range;
		found->owner = sections[index].owner;
	}
}

#endif

static enum qs_text_owner owner_of(const char *library)
{
	if (strstr(library, "/libswift_Concurrency.so") != NULL) return QS_TEXT_SWIFT_CONCURRENCY;
	if (strstr(library, "/libswiftCore.so") != NULL) return QS_TEXT_SWIFT_CORE;
	if (strstr(library, "/libswiftDispatch.so") != NULL) return QS_TEXT_SWIFT_DISPATCH;
	return QS_TEXT_PROGRAM;
}

static int look_into_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct found_text *found = context;
	look_into_segments(found, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum);
	if (found->range.size == 0) return 0;
	found->owner = owner_of(info->dlpi_name);
	found->is_copied = can_copy(found);
	// The loader's lock is held, so no image is unloaded.
	if (found->is_copied) memcpy(found->bytes, (const void *)(found->address - found->before), found->wanted);
	return 1;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE

// Another thread may unload the image during the call. The image and the loader's data about it are therefore read only
// by copies that report faults. The stack may be small, so each copy has a function of its own.
static __attribute__((noinline)) void copy_segments(
	struct found_text *found, uintptr_t bias, uintptr_t table, size_t count)
{
	ElfW(Phdr) segments[16];
	const size_t most = sizeof segments / sizeof *segments;
	for (size_t first = 0; first < count && found->range.size == 0; first += most) {
		ssize_t copied = qs_copy_memory(table + first * sizeof *segments, segments, sizeof segments);
		size_t there = copied > 0 ? (size_t)copied / sizeof *segments : 0;
		look_into_segments(found, bias, segments, there < count - first ? there : count - first);
	}
}

static __attribute__((noinline)) enum qs_text_owner copy_owner(const struct link_map *image)
{
	char library[1024]; // a longer path is cut
	ssize_t copied = qs_copy_memory((uintptr_t)image->l_name, library, sizeof library - 1);
	library[copied > 0 ? copied : 0] = 0;
	return owner_of(library);
}

// Returns false when the system does not support such copies.
static bool look_into_copies(struct found_text *found, const struct dl_find_object *object)
{
	uintptr_t begin = (uintptr_t)object->dlfo_map_start;
	ElfW(Ehdr) header;
	ssize_t copied = qs_copy_memory(begin, &header, sizeof header);
	if (copied < 0) return false;
	if (copied != sizeof header) return true;
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
	struct link_map image;
	if (qs_copy_memory((uintptr_t)object->dlfo_link_map, &image, sizeof image) != sizeof image) return true;
	copy_segments(found, image.l_addr, begin + header.e_phoff, header.e_phnum);
	if (found->range.size == 0) return true;
	if (found->wanted == 0) {
		found->owner = copy_owner(&image);
	} else if (can_copy(found)) {
		uintptr_t from = found->address - found->before;
		found->is_copied = qs_copy_memory(from, found->bytes, found->wanted) == found->wanted;
	}
	return true;
}

#endif

// Returns false when the answer needs the loader's lock.
static bool find_without_lock(struct found_text *found)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
	if (qs_helpers.find_object == NULL) return false;
	struct dl_find_object object;
	if (qs_helpers.find_object((void *)found->address, &object) != 0) return true;
	return look_into_copies(found, &object);
#else
	(void)found;
	return false;
#endif
}

static void find(struct found_text *found, bool may_lock)
{
	if (!find_without_lock(found) && may_lock) dl_iterate_phdr(look_into_image, found);
}

// Caches of earlier results, by address: a copy takes microseconds. An entry may outlive its library, which is
// harmless, because the cached address is never dereferenced.
enum { KNOWN_BITS = 10, OWNER_BITS = 3 };

static uint64_t known_owners[1 << KNOWN_BITS];  // address in the upper bits, owner in the lower bits
static uintptr_t known_returns[1 << KNOWN_BITS];

static size_t known_place(uintptr_t address)
{
	return (size_t)(address * (uint64_t)0x9E3779B97F4A7C15u >> (64 - KNOWN_BITS));
}

static bool is_return_address(uintptr_t address, bool may_lock)
{
	if (address == 0 || !qs_is_aligned_code(address)) return false;
	uintptr_t *known = &known_returns[known_place(address)];
	if (__atomic_load_n(known, __ATOMIC_RELAXED) == address) return true;
	struct found_text found = {.address = address, .wanted = QS_LONGEST_CALL, .before = QS_LONGEST_CALL};
	find(&found, may_lock);
	if (!found.is_copied || !qs_ends_call(found.bytes)) return false;
	__atomic_store_n(known, address, __ATOMIC_RELAXED);
	return true;
}

bool qs_is_return_address(uintptr_t address)
{
	return is_return_address(address, true);
}

bool qs_is_return_address_without_lock(uintptr_t address)
{
	return is_return_address(address, false);
}

bool qs_is_text(uintptr_t address)
{
	return qs_text_owner(address) != QS_TEXT_NONE;
}

enum qs_text_owner qs_text_owner(uintptr_t address)
{
	uint64_t *known = &known_owners[known_place(address)];
	uint64_t entry = __atomic_load_n(known, __ATOMIC_RELAXED);
	if (entry != 0 && entry >> OWNER_BITS == address) return (enum qs_text_owner)(entry & ((1 << OWNER_BITS) - 1));
	struct found_text found = {.address = address};
	find(&found, true);
	if (found.range.size == 0) return QS_TEXT_NONE;
#ifdef QS_FRONT_END_WRAP
	look_into_sections(&found);
#endif
	if (found.owner == QS_TEXT_SWIFT_DISPATCH) {
		__atomic_store_n(&qs_overlay_text.begin, found.range.begin, __ATOMIC_RELAXED);
		__atomic_store_n(&qs_overlay_text.size, found.range.size, __ATOMIC_RELEASE);
	}
	__atomic_store_n(known, (uint64_t)address << OWNER_BITS | found.owner, __ATOMIC_RELAXED);
	return found.owner;
}

uintptr_t qs_async_code(uintptr_t word)
{
	int32_t distance;
	if (word % sizeof distance != 0) return 0;
	struct found_text pointer = {.address = word, .is_any = true, .wanted = sizeof distance};
	find(&pointer, true);
	if (!pointer.is_copied) return 0;
	memcpy(&distance, pointer.bytes, sizeof distance);
	uintptr_t code = word + (uintptr_t)(intptr_t)distance;
	return qs_is_text(code) ? code : 0;
}
