#define _GNU_SOURCE
#include "text_map.h"

#include <link.h>
#include <string.h>

// Replaced as a whole when libraries were loaded; the old ones stay, as somebody may be reading them.
static struct qs_text_map maps[8];
static struct qs_text_map *current_map;
static uint32_t maps_used;

static int add_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct qs_text_map *map = context;
	map->loads = info->dlpi_adds;
	for (int index = 0; index < info->dlpi_phnum && map->count < QS_MAX_TEXTS; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
		struct qs_text_range range = {info->dlpi_addr + segment->p_vaddr, segment->p_memsz};
		if (strstr(info->dlpi_name, "/libswift_Concurrency.so") != NULL) map->swift_concurrency = range;
		if (strstr(info->dlpi_name, "/libswiftDispatch.so") != NULL) map->swift_dispatch = range;
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
static const struct qs_text_map *refresh(const struct qs_text_map *known)
{
	uint64_t loads = 0;
	dl_iterate_phdr(look_at_loads, &loads);
	if (known != NULL && known->loads == loads) return known;
	uint32_t position = __atomic_fetch_add(&maps_used, 1, __ATOMIC_RELAXED);
	if (position >= sizeof maps / sizeof maps[0]) return known;
	struct qs_text_map *map = &maps[position];
	dl_iterate_phdr(add_image, map);
	__atomic_store_n(&current_map, map, __ATOMIC_RELEASE);
	return map;
}

bool qs_text_contains(const struct qs_text_map *map, uintptr_t address)
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

const struct qs_text_map *qs_text_map(void)
{
	return __atomic_load_n(&current_map, __ATOMIC_ACQUIRE);
}

const struct qs_text_map *qs_text_map_for(uintptr_t code)
{
	const struct qs_text_map *map = __atomic_load_n(&current_map, __ATOMIC_ACQUIRE);
	if (qs_unlikely(map == NULL || !qs_text_contains(map, code))) map = refresh(map);
	return map;
}
