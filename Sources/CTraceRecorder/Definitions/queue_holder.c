// Holder of a queue hierarchy, for a program that uses the Queuescope library without hooks. It shows whether a sync
// has to wait, and which thread handed the queue off to it. The hooks (CDispatchInterposer/sync.c) read this from
// libdispatch's own state, and observe a waiting sync in its futex call. Without hooks neither is visible, so each
// level counts its items.
//
// An item on a queue holds every serial queue from there to the root. The state of a level is written inside that
// level's mutual exclusion, so plain stores would be enough between its items. The stores are atomic because a sync
// that is about to wait reads the state from outside.
#include "CTraceRecorder.h"

void qs_queue_holder_set_target(struct qs_queue_holder *holder, struct qs_queue_holder *target)
{
	__atomic_store_n(&holder->target, target, __ATOMIC_RELEASE);
}

// The next level towards the root. A sync on another thread may read it while it is set.
static struct qs_queue_holder *next_level(const struct qs_queue_holder *level)
{
	return __atomic_load_n(&level->target, __ATOMIC_ACQUIRE);
}

static bool is_serial(const struct qs_queue_holder *level)
{
	return level->width == 1;
}

void qs_sync_enter(struct qs_queue_holder *lowest, uint64_t item, uint32_t code, uint8_t kind, uint8_t qos,
	struct qs_sync_entry *entry)
{
	qs_record_sync_enter(item, lowest->queue, code, kind, qos);
	entry->grants = 0;
	entry->blocked = false;
	for (struct qs_queue_holder *level = lowest; level != NULL; level = next_level(level)) {
		if (!is_serial(level)) continue;
		entry->grants += __atomic_load_n(&level->grants, __ATOMIC_RELAXED);
		uint32_t holder = __atomic_load_n(&level->holder, __ATOMIC_RELAXED);
		if (holder == 0 || entry->blocked) continue;
		entry->blocked = true;
		qs_record_sync_block(item, level->queue, holder);
	}
}

// Takes the serial levels for this thread.
static void take_levels(struct qs_queue_holder *lowest, uint32_t tid)
{
	for (struct qs_queue_holder *level = lowest; level != NULL; level = next_level(level)) {
		if (!is_serial(level)) continue;
		__atomic_store_n(&level->grants, level->grants + 1, __ATOMIC_RELAXED);
		__atomic_store_n(&level->holder, tid, __ATOMIC_RELAXED);
	}
}

// First level, towards the root, whose last holder was another thread: the thread that handed off to this sync.
static struct qs_queue_holder *level_handed_off(struct qs_queue_holder *lowest, uint32_t tid)
{
	for (struct qs_queue_holder *level = lowest; level != NULL; level = next_level(level)) {
		if (!is_serial(level)) continue;
		if (level->last_holder != 0 && level->last_holder != tid) return level;
	}
	return NULL;
}

void qs_sync_begin(struct qs_queue_holder *lowest, uint64_t item, const struct qs_sync_entry *entry)
{
	uint32_t tid = qs_current_tid();
	uint64_t grants = 0;
	for (struct qs_queue_holder *level = lowest; level != NULL; level = next_level(level)) {
		if (is_serial(level)) grants += level->grants;
	}
	// Blocked at entry, or another item began in between.
	if (entry->blocked || grants != entry->grants) {
		struct qs_queue_holder *level = level_handed_off(lowest, tid);
		if (level != NULL) qs_record_sync_handoff(item, level->queue, level->last_holder);
	}
	take_levels(lowest, tid);
	qs_record_item_begin(item, lowest->queue);
}

void qs_item_begin(struct qs_queue_holder *lowest, uint64_t item)
{
	take_levels(lowest, qs_current_tid());
	qs_record_item_begin(item, lowest->queue);
}

void qs_item_end(struct qs_queue_holder *lowest, uint64_t item)
{
	uint32_t tid = qs_current_tid();
	qs_record_item_end(item);
	for (struct qs_queue_holder *level = lowest; level != NULL; level = next_level(level)) {
		if (!is_serial(level)) continue;
		level->last_holder = tid;
		__atomic_store_n(&level->holder, 0, __ATOMIC_RELAXED);
	}
}
