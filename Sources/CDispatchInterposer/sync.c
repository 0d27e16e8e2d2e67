// sync, barrier_sync and async_and_wait.
//
// The block must not be copied: the call's description stays on the caller's stack and goes as the context of the `_f`
// form. A sync that finds its queue free, which is nearly every sync, costs two short events; what makes it wait is
// seen in two ways, both exact:
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
	call->is_entered = true;
	qs_record_sync_enter(item_of(call), call->serial, call->code, call->kind, call->qos);
	if (call->is_barrier) qs_record_item_barrier(item_of(call));
	// What this thread holds itself it would wait for for ever: libdispatch ends the process.
	if (level == NULL) return;
	call->is_blocked = true;
	call->level = qs_serial(level);
	call->holder = holder;
	qs_record_sync_block(item_of(call), call->level, holder);
}

// The level that a sync still has to get: the first that is not its own, the last one when all are.
static const void *level_to_get(const void *queue, uint32_t self)
{
	for (const void *level = queue;;) {
		const void *target = qs_target(level);
		if (target == NULL || qs_target(target) == NULL || qs_queue_owner(level) != self) return level;
		level = target;
	}
}

// None of the levels was held when the sync came: what this thread holds now, the sync has got already.
void qs_sync_call_sleep(struct qs_sync_call *call)
{
	if (call->is_blocked) return;
	uint32_t holder = 0;
	uint32_t self = qs_current_tid();
	const void *level = qs_held_level(call->queue, self, &holder);
	// Readers hold a concurrent queue without leaving their names, and nobody a suspended one.
	call->level = qs_serial(level != NULL ? level : level_to_get(call->queue, self));
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
	// Another thread that runs the call, as with asyncAndWait and on the main thread, got nothing from the holder that
	// the caller met: it is as a rule that holder, and goes on to its next item.
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

// The function that libdispatch calls with the call as its context.
static QS_RUNNER void run_call(void *context)
{
	struct qs_sync_call *call = context;
	qs_tsan_acquire(call);
	if (qs_likely(!call->is_entered)) {
		qs_sync_call_entered(call);
		qs_record_sync_begin(call->serial, call->code, call->is_barrier);
		call->work(call->context);
		qs_record_callout_end();
	} else {
		qs_sync_call_begin(call);
		call->work(call->context);
		qs_sync_call_end(call);
	}
	qs_tsan_release(call);
}

// The code of a sync is what it runs; its stack says where it is called, once for each code. In the hook itself: the
// stack begins with its caller.
static inline __attribute__((always_inline)) void note_stack(struct qs_known_code *known, uint32_t code)
{
	if (qs_likely(known->has_stack)) return;
	known->has_stack = true;
	qs_note_sync_stack(code);
}

static QS_SLOW_PATH void return_entered(const struct qs_sync_call *call)
{
	qs_hook_thread.entering = NULL;
	qs_record_sync_return(item_of(call));
}

typedef void (*sync_original)(void *queue, void *context, qs_function_t work);

// `is_elsewhere`: the code may run on another thread while this one waits.
static inline __attribute__((always_inline)) void call_sync(
	sync_original sync, struct qs_sync_call *call, bool is_elsewhere)
{
	call->serial = qs_serial(call->queue);
	uint32_t holder;
	if (qs_unlikely(is_elsewhere || qs_held_level(call->queue, 0, &holder) != NULL)) enter_call(call);
	qs_hook_thread.entering = call;
	qs_tsan_release(call);
	sync((void *)call->queue, call, run_call);
	qs_tsan_acquire(call);
	if (qs_unlikely(call->is_entered)) return_entered(call);
}

// A block with private data: its wrapper records the run, when there is one.
static __attribute__((noinline)) void call_sync_work_item(
	void (*sync)(void *, void *), void *queue, void *block, uint8_t kind, bool is_barrier)
{
	struct qs_work_item *work = qs_work_item_of(block);
	struct qs_sync_call call = {
		.queue = queue, .serial = qs_serial(queue), .kind = kind, .is_barrier = is_barrier};
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

// While a session records the originals are known.
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
		struct qs_known_code *known = qs_known_block(block); \
		call.code = known->code; \
		note_stack(known, call.code); \
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
