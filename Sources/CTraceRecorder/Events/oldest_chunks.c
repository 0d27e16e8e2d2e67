#include "oldest_chunks.h"

static struct qs_old_chunk chunks[QS_MOST_OLDEST_CHUNKS];

// Atomic: `next`, `count`, and the number of times that the list was opened and closed. The last one prevents the ABA
// problem: a thread that has read a chunk of an earlier list does not take it.
static uint64_t list;

enum {
	COUNT_SHIFT = 16,
	CHANGES_SHIFT = 32,
	PLACE_MASK = 0xFFFF,
};

static uint32_t next_of(uint64_t value)
{
	return value & PLACE_MASK;
}

// The next value, of a list with this number of chunks, none of which is taken.
static uint64_t changed(uint64_t value, uint32_t count)
{
	return ((value >> CHANGES_SHIFT) + 1) << CHANGES_SHIFT | (uint64_t)count << COUNT_SHIFT;
}

struct qs_old_chunk *qs_oldest_chunks(void)
{
	return chunks;
}

void qs_oldest_chunks_open(uint32_t count)
{
	uint64_t closed = __atomic_load_n(&list, __ATOMIC_RELAXED);
	// Pairs with the loads in qs_oldest_chunks_take. No thread changes a closed list.
	__atomic_store_n(&list, changed(closed, count), __ATOMIC_RELEASE);
}

uint32_t qs_oldest_chunks_close(void)
{
	uint64_t open = __atomic_load_n(&list, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&list, &open, changed(open, 0), true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {}
	return next_of(open);
}

uint32_t qs_oldest_chunks_take(uint64_t *time)
{
	uint64_t open = __atomic_load_n(&list, __ATOMIC_ACQUIRE);
	uint32_t chunk;
	do {
		uint32_t next = next_of(open);
		if (next == (open >> COUNT_SHIFT & PLACE_MASK)) return 0;
		// The recorder thread may be writing the next list; in that case the exchange fails.
		chunk = __atomic_load_n(&chunks[next].chunk, __ATOMIC_RELAXED);
		bool is_copied = __atomic_load_n(&chunks[next].is_copied, __ATOMIC_RELAXED);
		*time = is_copied ? 0 : __atomic_load_n(&chunks[next].time, __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(&list, &open, open + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	return chunk;
}
