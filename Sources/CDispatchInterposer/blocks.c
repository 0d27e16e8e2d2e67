#define _GNU_SOURCE
#include "blocks.h"

#include <link.h>
#include <string.h>

enum { MAX_IMAGES = 512 };

// Executable segments of the process, sorted. Replaced as a whole when libraries were loaded; the old ones stay, as somebody may be reading them.
struct text_map {
	uint64_t loads;              // libraries loaded over the process's life when it was made
	int count;
	struct qs_text_range swift_concurrency;
	struct qs_text_range ranges[MAX_IMAGES];
};

static struct text_map maps[8];
static struct text_map *current_map;
static uint32_t maps_used;

static int add_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct text_map *map = context;
	map->loads = info->dlpi_adds;
	for (int index = 0; index < info->dlpi_phnum && map->count < MAX_IMAGES; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
		struct qs_text_range range = {info->dlpi_addr + segment->p_vaddr, segment->p_memsz};
		if (strstr(info->dlpi_name, "libswift_Concurrency.so") != NULL) map->swift_concurrency = range;
		int position = map->count++;
		for (; position > 0 && map->ranges[position - 1].begin > range.begin; position--) {
			map->ranges[position] = map->ranges[position - 1];
		}
		map->ranges[position] = range;
	}
	return 0;
}

static int look_at_loads(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	*(uint64_t *)context = info->dlpi_adds;
	return 1;
}

// The map of now. Two threads may make one at the same time; a program that opens libraries all the time keeps the last map.
static const struct text_map *refresh(const struct text_map *known)
{
	uint64_t loads = 0;
	dl_iterate_phdr(look_at_loads, &loads);
	if (known != NULL && known->loads == loads) return known;
	uint32_t position = __atomic_fetch_add(&maps_used, 1, __ATOMIC_RELAXED);
	if (position >= sizeof maps / sizeof maps[0]) return known;
	struct text_map *map = &maps[position];
	dl_iterate_phdr(add_image, map);
	__atomic_store_n(&current_map, map, __ATOMIC_RELEASE);
	return map;
}

static bool contains(const struct text_map *map, uintptr_t address)
{
	int low = 0, high = map->count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (address < map->ranges[middle].begin) {
			high = middle;
		} else if (address - map->ranges[middle].begin < map->ranges[middle].size) {
			return true;
		} else {
			low = middle + 1;
		}
	}
	return false;
}

// The map that knows the code at this address, which is code for sure.
static const struct text_map *map_for(uintptr_t code)
{
	const struct text_map *map = __atomic_load_n(&current_map, __ATOMIC_ACQUIRE);
	if (qs_unlikely(map == NULL || !contains(map, code))) map = refresh(map);
	return map;
}

uint32_t qs_find_code(struct qs_known_code *known, uintptr_t captured, uintptr_t invoke)
{
	const struct text_map *map = map_for(invoke);
	bool is_closure = captured != 0 && map != NULL && contains(map, captured);
	known->captured = captured;
	known->invoke = invoke;
	known->session = qs_session_number();
	known->code = is_closure ? qs_code_address(captured, invoke) : qs_code_address(invoke, 0);
	return known->code;
}

// Where a job keeps the function that it runs, from the Swift ABI: an object header, two words for the scheduler, flags and id, the voucher and a reserved word come
// before it.
struct swift_job {
	void *header[2];
	void *scheduler[2];
	uint32_t flags, id;
	void *voucher;
	void *reserved;
	uintptr_t run;
};

uint32_t qs_function_code(qs_function_t work, const void *context, bool *is_job)
{
	uintptr_t function = (uintptr_t)work;
	const struct text_map *map = __atomic_load_n(&current_map, __ATOMIC_ACQUIRE);
	if (qs_unlikely(map == NULL)) map = map_for(function);
	*is_job = map != NULL && context != NULL && function - map->swift_concurrency.begin < map->swift_concurrency.size;
	if (*is_job) {
		uintptr_t run = ((const struct swift_job *)context)->run;
		if (contains(map, run)) return qs_code_of(0, run);
	}
	return qs_code_of(0, function);
}
