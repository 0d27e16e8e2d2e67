// async, barrier_async, group_async and after.
//
// An escaping block is copied once, as libdispatch would do. The copy is passed as the context of the `_f` form, and
// its address is the item's id. A function with a context gets a node from the interposer's pool, and the node's
// address is the id. A block that needs no copy gets a node too, because it may be submitted several times at once.
#include "deadline.h"
#include "groups.h"
#include "recording_items.h"
#include "tasks.h"

QS_RUNNER void qs_run_block(void *copy)
{
	qs_tsan_acquire(copy);
	qs_record_callout_begin((uint64_t)(uintptr_t)copy);
	((struct qs_block *)copy)->invoke(copy);
	// Record the end before the release: the allocator may reuse the address for the next item.
	qs_record_callout_end();
	qs_helpers.block_release(copy);
}

QS_RUNNER void qs_run_shared_block(void *node)
{
	struct qs_context_node *taken = node;
	qs_tsan_acquire(node);
	struct qs_block *block = taken->context;
	qs_record_callout_begin((uint64_t)(uintptr_t)node);
	block->invoke(block);
	qs_record_callout_end();
	qs_context_node_give(taken);
	qs_helpers.block_release(block);
}

QS_RUNNER void qs_run_node(void *node)
{
	struct qs_context_node *taken = node;
	qs_tsan_acquire(node);
	qs_record_callout_begin((uint64_t)(uintptr_t)node);
	taken->work(taken->context);
	qs_record_callout_end();
	qs_context_node_give(taken);
}

// One submission, independent of the function that made it.
struct submission {
	const void *queue;
	uint64_t delay;
	uint8_t kind;
	bool is_barrier;
};

static inline __attribute__((always_inline)) void record(
	struct submission submission, uint64_t item, uint32_t code, uint8_t kind, uint8_t qos)
{
	qs_record_submission(item, submission.queue, code, kind, qos, submission.is_barrier);
	if (submission.kind == qs_item_kind_after) qs_record_item_delay(item, submission.delay);
	qs_tsan_release(item);
}

// Copies and records a block. The context is NULL when the item is skipped, and when there is no memory. libdispatch
// then gets the block itself, and waits for memory.
static inline __attribute__((always_inline)) struct qs_submitted_block submit_block(
	struct submission submission, void *block)
{
	if (qs_skips_item()) return (struct qs_submitted_block){NULL, NULL};
	struct qs_submitted_block result = qs_submitted_block(block);
	if (qs_unlikely(result.context == NULL)) return result;
	record(submission, (uint64_t)(uintptr_t)result.context, qs_block_code(block), submission.kind, 0);
	return result;
}

static __attribute__((noinline)) void submit_known_work_item(
	const void *queue, uint64_t delay, uint8_t kind, bool is_barrier, struct qs_work_item *work)
{
	bool is_skipped = qs_skips_item();
	uint64_t item = is_skipped ? qs_work_item_submit_skipped(work, queue) : qs_work_item_submit(work, queue, NULL);
	if (item == 0) return;
	struct submission submission = {queue, delay, kind, is_barrier || qs_work_item_is_barrier(work)};
	if (!is_skipped) record(submission, item, qs_work_item_code(work), kind, qs_work_item_qos(work));
	qs_work_item_submitted(work, item);
}

// Records the submission of a block with private data. The block's own wrapper records the run. Inlined: the hooks then
// keep the submission in registers.
static inline __attribute__((always_inline)) void submit_work_item(struct submission submission, void *block)
{
	struct qs_work_item *work = qs_work_item_of(block);
	if (work == NULL) return;
	submit_known_work_item(submission.queue, submission.delay, submission.kind, submission.is_barrier, work);
}

// Records a function and its context. Returns NULL when the item is skipped, and when there is no memory for the node.
// A job of Swift Concurrency is skipped with its task.
static inline __attribute__((always_inline)) void *submit_function(
	struct submission submission, qs_function_t work, void *context)
{
	bool is_job;
	uint32_t code = qs_function_code(work, context, &is_job);
	if (qs_unlikely(qs_gate.item_stride != 0) && (is_job ? qs_job_is_skipped(context) : qs_skips_item())) return NULL;
	struct qs_context_node *node = qs_context_node_take(work, context);
	if (qs_unlikely(node == NULL)) return NULL;
	record(submission, (uint64_t)(uintptr_t)node, code, is_job ? qs_item_kind_swift_job : submission.kind, 0);
	if (is_job && submission.kind == qs_item_kind_after) qs_task_delayed(context);
	return node;
}

QS_HOOK(void, dispatch_async, (void *queue, void *block))
{
	if (!qs_hook_records() || queue == NULL || block == NULL) {
		original(dispatch_async)(queue, block);
		return;
	}
	struct submission submission = {.queue = queue, .kind = qs_item_kind_async};
	if (qs_unlikely(qs_block_has_private_data(block))) {
		submit_work_item(submission, block);
		original(dispatch_async)(queue, block);
		return;
	}
	struct qs_submitted_block submitted = submit_block(submission, block);
	if (qs_unlikely(submitted.context == NULL)) {
		original(dispatch_async)(queue, block);
		return;
	}
	original(dispatch_async_f)(queue, submitted.context, submitted.run);
}

QS_HOOK(void, dispatch_async_f, (void *queue, void *context, qs_function_t work))
{
	if (qs_hook_records() && queue != NULL && work != NULL) {
		struct submission submission = {.queue = queue, .kind = qs_item_kind_async};
		void *node = submit_function(submission, work, context);
		if (node != NULL) {
			original(dispatch_async_f)(queue, node, qs_run_node);
			return;
		}
	}
	original(dispatch_async_f)(queue, context, work);
}

QS_HOOK(void, dispatch_barrier_async, (void *queue, void *block))
{
	if (!qs_hook_records() || queue == NULL || block == NULL) {
		original(dispatch_barrier_async)(queue, block);
		return;
	}
	struct submission submission = {.queue = queue, .kind = qs_item_kind_async, .is_barrier = true};
	if (qs_unlikely(qs_block_has_private_data(block))) {
		submit_work_item(submission, block);
		original(dispatch_barrier_async)(queue, block);
		return;
	}
	struct qs_submitted_block submitted = submit_block(submission, block);
	if (qs_unlikely(submitted.context == NULL)) {
		original(dispatch_barrier_async)(queue, block);
		return;
	}
	original(dispatch_barrier_async_f)(queue, submitted.context, submitted.run);
}

QS_HOOK(void, dispatch_barrier_async_f, (void *queue, void *context, qs_function_t work))
{
	if (qs_hook_records() && queue != NULL && work != NULL) {
		struct submission submission = {.queue = queue, .kind = qs_item_kind_async, .is_barrier = true};
		void *node = submit_function(submission, work, context);
		if (node != NULL) {
			original(dispatch_barrier_async_f)(queue, node, qs_run_node);
			return;
		}
	}
	original(dispatch_barrier_async_f)(queue, context, work);
}

// libdispatch enters the group without calling its exported function, so this hook records the enter. It leaves the
// group through the exported function, whose hook is in groups.c.
QS_HOOK(void, dispatch_group_async, (void *group, void *queue, void *block))
{
	if (!qs_hook_records() || group == NULL || queue == NULL || block == NULL) {
		original(dispatch_group_async)(group, queue, block);
		return;
	}
	qs_group_encounter(group);
	qs_record_group_enter((uint64_t)(uintptr_t)group);
	struct submission submission = {.queue = queue, .kind = qs_item_kind_async};
	if (qs_unlikely(qs_block_has_private_data(block))) {
		submit_work_item(submission, block);
		original(dispatch_group_async)(group, queue, block);
		return;
	}
	struct qs_submitted_block submitted = submit_block(submission, block);
	if (qs_unlikely(submitted.context == NULL)) {
		original(dispatch_group_async)(group, queue, block);
		return;
	}
	original(dispatch_group_async_f)(group, queue, submitted.context, submitted.run);
}

QS_HOOK(void, dispatch_group_async_f, (void *group, void *queue, void *context, qs_function_t work))
{
	if (qs_hook_records() && group != NULL && queue != NULL && work != NULL) {
		qs_group_encounter(group);
		qs_record_group_enter((uint64_t)(uintptr_t)group);
		struct submission submission = {.queue = queue, .kind = qs_item_kind_async};
		void *node = submit_function(submission, work, context);
		if (node != NULL) {
			original(dispatch_group_async_f)(group, queue, node, qs_run_node);
			return;
		}
	}
	original(dispatch_group_async_f)(group, queue, context, work);
}

// DISPATCH_TIME_FOREVER makes some versions of libdispatch crash; in other versions the item never runs.
QS_HOOK(void, dispatch_after, (uint64_t when, void *queue, void *block))
{
	if (!qs_hook_records() || queue == NULL || block == NULL || when == QS_TIME_FOREVER) {
		original(dispatch_after)(when, queue, block);
		return;
	}
	struct submission submission = {.queue = queue, .kind = qs_item_kind_after, .delay = qs_delay_until(when)};
	if (qs_unlikely(qs_block_has_private_data(block))) {
		submit_work_item(submission, block);
		original(dispatch_after)(when, queue, block);
		return;
	}
	struct qs_submitted_block submitted = submit_block(submission, block);
	if (qs_unlikely(submitted.context == NULL)) {
		original(dispatch_after)(when, queue, block);
		return;
	}
	original(dispatch_after_f)(when, queue, submitted.context, submitted.run);
}

QS_HOOK(void, dispatch_after_f, (uint64_t when, void *queue, void *context, qs_function_t work))
{
	if (qs_hook_records() && queue != NULL && work != NULL && when != QS_TIME_FOREVER) {
		struct submission submission = {.queue = queue, .kind = qs_item_kind_after, .delay = qs_delay_until(when)};
		void *node = submit_function(submission, work, context);
		if (node != NULL) {
			original(dispatch_after_f)(when, queue, node, qs_run_node);
			return;
		}
	}
	original(dispatch_after_f)(when, queue, context, work);
}
