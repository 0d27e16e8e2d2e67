#define _GNU_SOURCE
#include "known_groups.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "hooks.h"

enum {
	FIRST_BITS = 8,
	TABLES = 16,
	// Places that are searched: half a cache line. Most places were used at least once. Most calls are for groups that
	// are not in the table, as libdispatch leaves an internal group with every block that has private data.
	PROBES = 4,
};

// Special values of a place. Addresses are even, and not 0.
#define FREE ((uintptr_t)0)    // never used: the search ends here
#define REMOVED ((uintptr_t)1)

// Each table has twice the places of the previous one, and is created when the previous one has no room.
static uintptr_t *tables[TABLES];

static size_t bytes_of(int table)
{
	return sizeof(uintptr_t) << (FIRST_BITS + table);
}

static uintptr_t *table_at(int table)
{
	// Pairs with the exchange in make_table.
	return __atomic_load_n(&tables[table], __ATOMIC_ACQUIRE);
}

// The system provides the pages at their first use.
static uintptr_t *make_table(int table)
{
	if (qs_thread_is_sandboxed) return NULL;
	uintptr_t *made = mmap(NULL, bytes_of(table), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED) return NULL;
	uintptr_t *found = NULL;
	bool is_first = __atomic_compare_exchange_n(
		&tables[table], &found, made, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
	if (is_first) return made;
	munmap(made, bytes_of(table));
	return found;
}

static uintptr_t *place_in(uintptr_t *places, int table, uintptr_t group, unsigned probe)
{
	int bits = FIRST_BITS + table;
	uint64_t hash = (uint64_t)(group >> 4) * 0x9E3779B97F4A7C15u;
	return &places[((hash >> (64 - bits)) + probe) & (((uint64_t)1 << bits) - 1)];
}

// All accesses are relaxed: the program passes a group to another thread with its own synchronisation, which orders the
// table entries too.
static uintptr_t load(const uintptr_t *place)
{
	return __atomic_load_n(place, __ATOMIC_RELAXED);
}

static uintptr_t *find(uintptr_t group)
{
	for (int table = 0; table < TABLES; table++) {
		uintptr_t *places = table_at(table);
		if (places == NULL) break;
		for (unsigned probe = 0; probe < PROBES; probe++) {
			uintptr_t *place = place_in(places, table, group, probe);
			uintptr_t found = load(place);
			if (found == FREE) break;
			if (found == group) return place;
		}
	}
	return NULL;
}

static bool enter(uintptr_t *places, int table, uintptr_t group)
{
	for (unsigned probe = 0; probe < PROBES; probe++) {
		uintptr_t *place = place_in(places, table, group, probe);
		uintptr_t found = load(place);
		while (found == FREE || found == REMOVED) {
			bool is_added = __atomic_compare_exchange_n(
				place, &found, group, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
			if (is_added) return true;
		}
	}
	return false;
}

void qs_known_groups_add(const void *group)
{
	// Removes the entry of an earlier group at this address whose end was not seen.
	qs_known_groups_remove(group);
	for (int table = 0; table < TABLES; table++) {
		uintptr_t *places = table_at(table);
		if (places == NULL) places = make_table(table);
		if (places == NULL || enter(places, table, (uintptr_t)group)) return;
	}
}

bool qs_known_groups_contain(const void *group)
{
	return find((uintptr_t)group) != NULL;
}

void qs_known_groups_remove(const void *group)
{
	uintptr_t *place = find((uintptr_t)group);
	if (place != NULL) __atomic_store_n(place, REMOVED, __ATOMIC_RELAXED);
}

void qs_known_groups_forget(void)
{
	if (qs_thread_is_sandboxed) return;
	// Other threads may read the tables, so they stay mapped. The system fills their pages with FREE.
	for (int table = 0; table < TABLES && table_at(table) != NULL; table++) {
		madvise(table_at(table), bytes_of(table), MADV_DONTNEED);
	}
}
