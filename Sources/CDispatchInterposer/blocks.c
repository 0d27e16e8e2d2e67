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
	struct qs_text_range swift_dispatch;   // the overlay
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

static bool is_in(struct qs_text_range range, uintptr_t address)
{
	return address - range.begin < range.size;
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

void qs_find_code(struct qs_known_code *known, uintptr_t captured, uintptr_t invoke)
{
	const struct text_map *map = map_for(invoke);
	bool is_closure = captured != 0 && map != NULL && contains(map, captured);
	known->captured = captured;
	known->invoke = invoke;
	known->session = qs_session_number();
	known->code = is_closure ? qs_code_address(captured, invoke) : qs_code_address(invoke, 0);
	known->is_forwarder = is_closure && is_in(map->swift_dispatch, captured);
}

// From a closure of the overlay to the closure that it calls: the words of the contexts at which the next function stands. Looked for once for all closures with
// one function.
enum { MAX_HOPS = 4, CONTEXT_WORDS = 8, FORWARDERS = 64 };

struct forwarding_path {
	uintptr_t function;          // of the overlay's closure; 0: free; written last
	uint8_t hops;                // 0: there is no way
	uint8_t words[MAX_HOPS];
};

static struct forwarding_path paths[FORWARDERS];

static bool is_pointer(uintptr_t word)
{
	return word > 4096 && word % sizeof(void *) == 0 && word >> 47 == 0;
}

// A context begins with two words of its own; what it captures follows, a closure as function and context.
static bool find_path(const struct text_map *map, const uintptr_t *context, struct forwarding_path *path)
{
	if (path->hops == MAX_HOPS) return false;
	uint8_t hop = path->hops++;
	for (uint8_t word = 2; word < CONTEXT_WORDS; word++) {
		if (!contains(map, context[word])) continue;
		path->words[hop] = word;
		if (!is_in(map->swift_dispatch, context[word])) return true;
		if (is_pointer(context[word + 1]) && find_path(map, (const uintptr_t *)context[word + 1], path)) return true;
	}
	path->hops = hop;
	return false;
}

static const struct forwarding_path *path_of(const struct text_map *map, const struct qs_captured_closure *closure)
{
	struct forwarding_path *slot = &paths[closure->function / 16 % FORWARDERS];
	uintptr_t known = __atomic_load_n(&slot->function, __ATOMIC_ACQUIRE);
	if (qs_likely(known == closure->function)) return slot;
	if (known != 0) return NULL; // two in one slot: the second stays without
	struct forwarding_path path = {0};
	if (!find_path(map, (const uintptr_t *)closure->context, &path)) path.hops = 0;
	// Threads that come here at the same time write the same.
	slot->hops = path.hops;
	memcpy(slot->words, path.words, sizeof slot->words);
	__atomic_store_n(&slot->function, closure->function, __ATOMIC_RELEASE);
	return slot;
}

uint32_t qs_forwarded_code(const struct qs_captured_closure *closure, uint32_t code)
{
	const struct text_map *map = __atomic_load_n(&current_map, __ATOMIC_ACQUIRE);
	if (map == NULL || !is_pointer(closure->context)) return code;
	const uintptr_t *context = (const uintptr_t *)closure->context;
	// The simplest way, of a sync without a value; closures with one function differ in this.
	if (!is_in(map->swift_dispatch, context[2]) && contains(map, context[2])) return qs_code_of(0, context[2]);
	const struct forwarding_path *path = path_of(map, closure);
	if (path == NULL || path->hops == 0) return code;
	for (int hop = 0; hop + 1 < path->hops; hop++) {
		uintptr_t next = context[path->words[hop] + 1];
		if (!is_in(map->swift_dispatch, context[path->words[hop]]) || !is_pointer(next)) return code;
		context = (const uintptr_t *)next;
	}
	uintptr_t function = context[path->words[path->hops - 1]];
	return contains(map, function) ? qs_code_of(0, function) : code;
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
	*is_job = map != NULL && context != NULL && is_in(map->swift_concurrency, function);
	if (*is_job) {
		uintptr_t run = ((const struct swift_job *)context)->run;
		if (contains(map, run)) return qs_code_of(0, run);
	}
	return qs_code_of(0, function);
}
