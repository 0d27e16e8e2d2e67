// sync, barrier_sync and async_and_wait.
//
// The block must not be copied: the description of the call stays on the caller's stack and is passed as the context of
// the `_f` form. A sync that finds its queue free, which is nearly every sync, writes two short events. A wait is
// detected in two ways, both exact:
//
//   held at entry    sync_enter  sync_block ─────── sync_handoff item_begin ── item_end  sync_return
//   lost the race       sync_wait (in futex.c) ──── sync_handoff item_begin ── item_end  sync_return
//   free                                            sync_begin ─────────────── callout_end
#include <stddef.h>

#include "callers.h"
#include "recording_items.h"

static uint64_t item_of(const struct qs_sync_call *call)
{
	return (uint64_t)(uintptr_t)call;
}

// Records sync_enter, and sync_block when a queue is held.
static QS_SLOW_PATH void enter_call(struct qs_sync_call *call)
{
	uint32_t holder = 0;
	const void *level = qs_held_level(call->queue, 0, &holder);
	call->serial = qs_queue_number(call->queue);
	call->is_entered = true;
	qs_record_sync_enter(item_of(call), call->serial, call->code, call->kind, call->qos);
	if (call->is_barrier) qs_record_item_barrier(item_of(call));
	// When this thread itself holds the queue, libdispatch ends the process (deadlock).
	if (level == NULL) return;
	call->is_blocked = true;
	call->level = qs_queue_number(level);
	call->holder = holder;
	qs_record_sync_block(item_of(call), call->level, holder);
}

// The level that a sync still waits for: the first level that the thread does not own, or the last level.
static const void *level_to_get(const void *queue, uint32_t self)
{
	for (const void *level = queue;;) {
		const void *target = qs_target(level);
		if (target == NULL || qs_target(target) == NULL || qs_queue_owner(level) != self) return level;
		level = target;
	}
}

// At the call no level was held. The levels that this thread owns now were taken by this sync.
void qs_sync_call_sleep(struct qs_sync_call *call)
{
	if (call->is_blocked) return;
	uint32_t holder = 0;
	uint32_t self = qs_current_tid();
	const void *level = qs_held_level(call->queue, self, &holder);
	// Readers of a concurrent queue do not store an owner, and a suspended queue has none.
	call->level = qs_queue_number(level != NULL ? level : level_to_get(call->queue, self));
	call->holder = holder;
	call->is_blocked = true;
	if (call->is_entered) {
		qs_record_sync_block(item_of(call), call->level, holder);
		return;
	}
	call->is_entered = true;
	qs_record_sync_wait(item_of(call), call->serial, call->code, call->kind, call->qos, call->level, holder);
	if (call->is_barrier) qs_record_item_barrier(item_of(call));
}

void qs_sync_call_begin(struct qs_sync_call *call)
{
	// Another thread may run the call (asyncAndWait, main queue). It received no hand-off from the holder that the
	// caller found: it usually is that holder and continues with its next item.
	if (call->is_blocked && qs_hook_thread.entering == call) {
		qs_record_sync_handoff(item_of(call), call->level, call->holder);
	}
	qs_sync_call_entered(call);
	qs_record_item_begin(item_of(call), call->serial);
}

void qs_sync_call_end(struct qs_sync_call *call)
{
	qs_record_item_end(item_of(call));
}

static QS_RUNNER void run_entered_call(struct qs_sync_call *call)
{
	qs_sync_call_begin(call);
	call->work(call->context);
	qs_sync_call_end(call);
	qs_tsan_release(call);
}

// A function of its own: run_call then saves no register for it.
static __attribute__((noinline)) void end_callout(void)
{
	qs_record_callout_end();
}

// libdispatch calls this function with the call as its context.
static QS_RUNNER void run_call(void *context)
{
	struct qs_sync_call *call = context;
	qs_tsan_acquire(call);
	if (qs_unlikely(call->is_entered)) {
		run_entered_call(call);
		return;
	}
	qs_sync_call_entered(call);
	if (qs_skips_item()) {
		call->work(call->context);
		qs_tsan_release(call);
		return;
	}
	qs_record_sync_begin(call->serial, call->code, call->is_barrier);
	call->work(call->context);
	qs_tsan_release(call);
	end_callout();
}

// Records the stack of a sync once per code: the code identifies the function that runs, the stack its call site.
// Inlined into the hook, so that the stack begins with the hook's caller.
static inline __attribute__((always_inline)) void note_stack(struct qs_known_code *known, uint32_t code)
{
	if (qs_likely(known->has_stack)) return;
	known->has_stack = true;
	qs_note_sync_stack(code);
}

// The code of a block, whose stack is recorded.
static inline __attribute__((always_inline)) uint32_t code_with_stack(const void *block)
{
	const struct qs_last_block *last = qs_last_block(block, true);
	if (qs_likely(last != NULL)) return last->code;
	struct qs_known_code *known = qs_known_block(block);
	uint32_t code = known->code;
	note_stack(known, code);
	return code;
}

static QS_SLOW_PATH void return_entered(const struct qs_sync_call *call)
{
	qs_hook_thread.entering = NULL;
	qs_record_sync_return(item_of(call));
}

typedef void (*sync_original)(void *queue, void *context, qs_function_t work);

// `is_elsewhere`: the code may run on another thread while the calling thread waits.
static inline __attribute__((always_inline)) void call_sync(
	sync_original sync, struct qs_sync_call *call, bool is_elsewhere)
{
	uint32_t holder;
	if (qs_unlikely(is_elsewhere || qs_held_level(call->queue, 0, &holder) != NULL)) enter_call(call);
	else call->serial = qs_queue_number(call->queue);
	qs_hook_thread.entering = call;
	qs_tsan_release(call);
	sync((void *)call->queue, call, run_call);
	qs_tsan_acquire(call);
	if (qs_unlikely(call->is_entered)) return_entered(call);
}

// For a block with private data. Its wrapper records the run, if it has one.
static __attribute__((noinline)) void call_sync_work_item(
	void (*sync)(void *, void *), void *queue, void *block, uint8_t kind, bool is_barrier)
{
	struct qs_work_item *work = qs_work_item_of(block);
	struct qs_sync_call call = {.queue = queue, .kind = kind, .is_barrier = is_barrier};
	if (work == NULL || qs_work_item_submit(work, queue, &call) == 0) {
		sync(queue, block);
		return;
	}
	call.code = qs_work_item_code(work);
	call.qos = qs_work_item_qos(work);
	call.is_barrier |= qs_work_item_is_barrier(work);
	enter_call(&call);
	qs_work_item_submitted(work, item_of(&call));
	qs_hook_thread.entering = &call;
	sync(queue, block);
	qs_hook_thread.entering = NULL;
	qs_work_item_withdraw(work, item_of(&call));
	qs_record_sync_return(item_of(&call));
}

// The originals are set while a session records.
#define SYNC_OF_BLOCK(name, is_barrier_, kind_, is_elsewhere) \
	QS_HOOK(void, name, (void *queue, void *block)) \
	{ \
		if (!qs_hook_records() || queue == NULL || block == NULL) { \
			original(name)(queue, block); \
			return; \
		} \
		if (qs_unlikely(qs_block_has_private_data(block))) { \
			call_sync_work_item(original(name), queue, block, kind_, is_barrier_); \
			return; \
		} \
		struct qs_sync_call call; \
		call.context = block; \
		call.work = ((struct qs_block *)block)->invoke; \
		call.queue = queue; \
		call.kind = kind_; \
		call.qos = 0; \
		call.is_barrier = is_barrier_; \
		call.is_entered = false; \
		call.is_blocked = false; \
		call.code = code_with_stack(block); \
		call_sync(qs_originals.name##_f, &call, is_elsewhere); \
	}

#define SYNC_OF_FUNCTION(name, is_barrier_, kind_, is_elsewhere) \
	QS_HOOK(void, name, (void *queue, void *context_, qs_function_t work_)) \
	{ \
		if (!qs_hook_records() || queue == NULL || work_ == NULL) { \
			original(name)(queue, context_, work_); \
			return; \
		} \
		struct qs_sync_call call; \
		call.context = context_; \
		call.work = work_; \
		call.queue = queue; \
		call.kind = kind_; \
		call.qos = 0; \
		call.is_barrier = is_barrier_; \
		call.is_entered = false; \
		call.is_blocked = false; \
		struct qs_known_code *known = qs_known_code(0, (uintptr_t)work_); \
		call.code = known->code; \
		note_stack(known, call.code); \
		call_sync(qs_originals.name, &call, is_elsewhere); \
	}

SYNC_OF_BLOCK(dispatch_sync, false, qs_item_kind_sync, false)
SYNC_OF_FUNCTION(dispatch_sync_f, false, qs_item_kind_sync, false)
SYNC_OF_BLOCK(dispatch_barrier_sync, true, qs_item_kind_sync, false)
SYNC_OF_FUNCTION(dispatch_barrier_sync_f, true, qs_item_kind_sync, false)
SYNC_OF_BLOCK(dispatch_async_and_wait, false, qs_item_kind_async_and_wait, true)
SYNC_OF_FUNCTION(dispatch_async_and_wait_f, false, qs_item_kind_async_and_wait, true)
SYNC_OF_BLOCK(dispatch_barrier_async_and_wait, true, qs_item_kind_async_and_wait, true)
SYNC_OF_FUNCTION(dispatch_barrier_async_and_wait_f, true, qs_item_kind_async_and_wait, true)
