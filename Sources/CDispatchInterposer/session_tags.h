// Tables of what a session has seen. An entry is one word, which is read and written without a lock: a number of 48
// bits, and the low 16 bits of the session's number as its tag. Entries of earlier sessions count as free.
#ifndef QS_SESSION_TAGS_H
#define QS_SESSION_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QS_TAG_SHIFT = 48, QS_TAG_BITS = 16 };

static inline uint64_t qs_tagged_entry(uint64_t number, uint32_t session)
{
	return (uint64_t)session << QS_TAG_SHIFT | (number & ((1ull << QS_TAG_SHIFT) - 1));
}

// Whether the entry may be replaced by the new one, because its place is free.
static inline bool qs_tagged_entry_is_free(uint64_t entry, uint64_t new_entry)
{
	return entry == 0 || entry >> QS_TAG_SHIFT != new_entry >> QS_TAG_SHIFT;
}

// Clears the table when its tags begin again, after 65,536 sessions. Call before each use of the table in a session.
// `cycle` belongs to the table, and is 0 at first. Threads that clear the table at the same time can remove new entries
// of each other.
static inline void qs_tagged_table_prepare(uint64_t *table, size_t entries, uint32_t *cycle, uint32_t session)
{
	uint32_t present = session >> QS_TAG_BITS;
	if (__builtin_expect(__atomic_load_n(cycle, __ATOMIC_ACQUIRE) == present, 1)) return;
	for (size_t index = 0; index < entries; index++) __atomic_store_n(&table[index], 0, __ATOMIC_RELAXED);
	__atomic_store_n(cycle, present, __ATOMIC_RELEASE);
}

#endif
