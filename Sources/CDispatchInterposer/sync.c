// sync, barrier_sync and async_and_wait.
//
// The block must not be copied: the call's description stays on the caller's stack and goes as the context of the `_f` form. A sync that finds its queue free,
// which is nearly every sync, costs two short events; what makes it wait is seen in two ways, both exact:
//
//   held at entry    sync_enter  sync_block ─────── sync_handoff item_begin ── item_end  sync_return
//   lost the race       sync_wait (in futex.c) ──── sync_handoff item_begin ── item_end  sync_return
//   free                                            sync_begin ─────────────── callout_end
#include <stddef.h>

#include "callers.h"
#include "recording_items.h"

void qs_sync_call_enter(struct qs_sync_call *call)
{
	uint32_t holder = 0;
	const void *level = qs_held_level(call->queue, &holder);
	call->is_entered = true;
	qs_record_sync_enter(call->item, call->serial, call->code, call->kind, call->qos);
	if (call->is_barrier) qs_record_item_barrier(call->item);
	// What this thread holds itself it would wait for for ever: libdispatch ends the process.
	if (level == NULL) return;
	call->is_blocked = true;
	call->level = qs_serial(level);
	call->holder = holder;
	qs_record_sync_block(call->item, call->level, holder);
}

void qs_sync_call_sleep(struct qs_sync_call *call)
{
	if (call->is_blocked) return;
	uint32_t holder = 0;
	const void *level = qs_held_level(call->queue, &holder);
	// Readers hold a concurrent queue without leaving their names.
	call->level = level != NULL ? qs_serial(level) : call->serial;
	call->holder = holder;
	call->is_blocked = true;
	if (call->is_entered) {
		qs_record_sync_block(call->item, call->level, holder);
		return;
	}
	call->is_entered = true;
	qs_record_sync_wait(call->item, call->serial, call->code, call->kind, call->qos, call->level, holder);
	if (call->is_barrier) qs_record_item_barrier(call->item);
}

void qs_sync_call_begin(struct qs_sync_call *call)
{
	if (call->is_blocked) qs_record_sync_handoff(call->item, call->level, call->holder);
	qs_record_item_begin(call->item, call->serial);
}

void qs_sync_call_end(struct qs_sync_call *call)
{
	qs_record_item_end(call->item);
}

// The function that libdispatch calls with the call as its context.
static void run_call(void *context)
{
	struct qs_sync_call *call = context;
	struct qs_hook_thread *thread = &qs_hook_thread;
	qs_take_over(call);
	bool is_same_thread = call->thread == thread;
	// From here on what this thread sleeps for is something else.
	if (is_same_thread) thread->entering = NULL;
	if (qs_likely(!call->is_entered)) {
		qs_record_sync_begin(call->serial, call->code, call->is_barrier);
		call->work(call->context);
		qs_record_callout_end();
	} else {
		qs_sync_call_begin(call);
		call->work(call->context);
		qs_sync_call_end(call);
	}
	qs_hand_over(call);
}

// The code of a sync is what it runs; its stack says where it is called, once for each code.
static inline __attribute__((always_inline)) void note_stack(struct qs_hook_thread *thread, uint32_t code)
{
	uint64_t place = (uint64_t)qs_session_number() << 32 | code;
	uint64_t *noted = &thread->noted_syncs[code & (QS_NOTED_SYNCS - 1)];
	if (qs_likely(*noted == place)) return;
	*noted = place;
	qs_note_sync_stack(code);
}

typedef void (*sync_original)(void *queue, void *context, qs_function_t work);

// `is_elsewhere`: the code may run on another thread while this one waits.
static inline __attribute__((always_inline)) void call_sync(sync_original sync, struct qs_sync_call *call, uint32_t code, bool is_elsewhere)
{
	struct qs_hook_thread *thread = &qs_hook_thread;
	call->item = (uint64_t)(uintptr_t)call;
	call->serial = qs_serial(call->queue);
	call->code = code;
	call->thread = thread;
	note_stack(thread, code);
	uint32_t holder;
	if (qs_unlikely(is_elsewhere || qs_held_level(call->queue, &holder) != NULL)) qs_sync_call_enter(call);
	thread->entering = call;
	qs_hand_over(call);
	sync((void *)call->queue, call, run_call);
	qs_take_over(call);
	if (qs_unlikely(call->is_entered)) {
		thread->entering = NULL;
		qs_record_sync_return(call->item);
	}
}

// A block with private data: its wrapper records the run, when there is one.
static __attribute__((noinline)) void call_sync_work_item(void (*sync)(void *, void *), void *queue, void *block, uint8_t kind, bool is_barrier)
{
	struct qs_work_item *work = qs_work_item_of(block);
	struct qs_sync_call call = {
		.queue = queue, .serial = qs_serial(queue), .kind = kind, .thread = &qs_hook_thread, .is_barrier = is_barrier};
	call.item = work != NULL ? qs_work_item_submit(work, queue, &call) : 0;
	if (call.item == 0) {
		sync(queue, block);
		return;
	}
	call.code = qs_work_item_code(work);
	call.qos = qs_work_item_qos(work);
	call.is_barrier |= qs_work_item_is_barrier(work);
	qs_sync_call_enter(&call);
	qs_work_item_submitted(work, call.item);
	qs_hook_thread.entering = &call;
	sync(queue, block);
	qs_hook_thread.entering = NULL;
	qs_work_item_withdraw(work, call.item);
	qs_record_sync_return(call.item);
}

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
		call_sync(original(name##_f), &call, qs_block_code(block), is_elsewhere); \
	}

#define SYNC_OF_FUNCTION(name, is_barrier_, kind_, is_elsewhere) \
	QS_HOOK(void, name, (void *queue, void *context_, qs_function_t work_)) \
	{ \
		if (!qs_hook_records() || queue == NULL || work_ == NULL) { \
			original(name)(queue, context_, work_); \
			return; \
		} \
		bool is_job; \
		struct qs_sync_call call; \
		call.context = context_; \
		call.work = work_; \
		call.queue = queue; \
		call.kind = kind_; \
		call.qos = 0; \
		call.is_barrier = is_barrier_; \
		call.is_entered = false; \
		call.is_blocked = false; \
		call_sync(original(name), &call, qs_function_code(work_, context_, &is_job), is_elsewhere); \
	}

SYNC_OF_BLOCK(dispatch_sync, false, qs_item_kind_sync, false)
SYNC_OF_FUNCTION(dispatch_sync_f, false, qs_item_kind_sync, false)
SYNC_OF_BLOCK(dispatch_barrier_sync, true, qs_item_kind_sync, false)
SYNC_OF_FUNCTION(dispatch_barrier_sync_f, true, qs_item_kind_sync, false)
SYNC_OF_BLOCK(dispatch_async_and_wait, false, qs_item_kind_async_and_wait, true)
SYNC_OF_FUNCTION(dispatch_async_and_wait_f, false, qs_item_kind_async_and_wait, true)
SYNC_OF_BLOCK(dispatch_barrier_async_and_wait, true, qs_item_kind_async_and_wait, true)
SYNC_OF_FUNCTION(dispatch_barrier_async_and_wait_f, true, qs_item_kind_async_and_wait, true)
