// Sets of locks by their address, for the hooks of mutexes and of read-write locks.
//
// A set is empty at the begin of a session. When all places of a lock are taken by other locks, the lock is not added.
// Context: any thread, also in a signal handler. Blocks: no.
#ifndef QS_LOCK_SETS_H
#define QS_LOCK_SETS_H

#include "hooks.h"
#include "session_tags.h"

enum { QS_LOCK_SET_SIZE = 1 << 10, QS_LOCK_SET_PROBES = 4 };

struct qs_lock_set {
	uint64_t places[QS_LOCK_SET_SIZE];
	uint32_t cycle; // atomic: of session_tags.h
};

static inline uint64_t *qs_lock_set_place(struct qs_lock_set *set, uint64_t lock, uint32_t probe)
{
	uint32_t home = (uint32_t)(lock >> 3) * 0x9E3779B1u >> 22;
	return &set->places[(home + probe) % QS_LOCK_SET_SIZE];
}

static inline uint64_t qs_lock_set_entry(struct qs_lock_set *set, uint64_t lock)
{
	uint32_t session = qs_session_number();
	qs_tagged_table_prepare(set->places, QS_LOCK_SET_SIZE, &set->cycle, session);
	return qs_tagged_entry(lock, session);
}

// Returns whether this call added the lock.
static inline bool qs_lock_set_add(struct qs_lock_set *set, uint64_t lock)
{
	uint64_t entry = qs_lock_set_entry(set, lock);
	for (uint32_t probe = 0; probe < QS_LOCK_SET_PROBES; probe++) {
		uint64_t *place = qs_lock_set_place(set, lock, probe);
		uint64_t found = __atomic_load_n(place, __ATOMIC_RELAXED);
		if (found == entry) return false;
		if (!qs_tagged_entry_is_free(found, entry)) continue;
		if (__atomic_compare_exchange_n(place, &found, entry, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return true;
		if (found == entry) return false;
	}
	return false;
}

// Returns whether the lock was in the set.
static inline bool qs_lock_set_remove(struct qs_lock_set *set, uint64_t lock)
{
	uint64_t entry = qs_lock_set_entry(set, lock);
	bool was_member = false;
	for (uint32_t probe = 0; probe < QS_LOCK_SET_PROBES; probe++) {
		uint64_t found = entry;
		was_member |= __atomic_compare_exchange_n(
			qs_lock_set_place(set, lock, probe), &found, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
	return was_member;
}

#endif
