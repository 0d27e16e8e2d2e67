// dispatch_apply. The block must not be copied: the description of the call stays on the caller's stack and is passed
// as the context of the `_f` form.
//
// The number of threads is exact: a thread that joins an apply works for it until all iterations are taken. The only
// exception is a nested apply that one of its iterations calls.
#include "blocks.h"
#include "callers.h"
#include "encounters.h"

struct apply_call {
	uint64_t id;
	void *context;
	qs_apply_function_t work;
	uint32_t threads;
};

// The apply whose iterations this thread ran last. The value remains after the last iteration: ids are never reused.
static __thread uint64_t joined __attribute__((tls_model("initial-exec")));

static QS_RUNNER void run_iteration(void *context, size_t iteration)
{
	struct apply_call *call = context;
	qs_tsan_acquire(call);
	uint64_t id = call->id;
	if (qs_unlikely(joined != id)) {
		joined = id;
		__atomic_add_fetch(&call->threads, 1, __ATOMIC_RELAXED);
	}
	qs_record_apply_iteration_begin(id, iteration);
	call->work(call->context, iteration);
	qs_record_apply_iteration_end(id);
	joined = id;
	qs_tsan_release(call);
}

static void apply(struct apply_call *call, size_t iterations, void *queue, uint32_t code)
{
	uint64_t outer = joined;
	call->id = qs_new_object();
	call->threads = 0;
	qs_record_apply_begin(call->id, queue != NULL ? qs_queue_number(queue) : 0, code, iterations);
	qs_tsan_release(call);
	original(dispatch_apply_f)(iterations, queue, call, run_iteration);
	qs_tsan_acquire(call);
	qs_record_apply_end(call->id, __atomic_load_n(&call->threads, __ATOMIC_RELAXED));
	joined = outer;
}

// The code of the iterations. For Swift's concurrentPerform the overlay passes a block that captures a second block.
// The closure of the second block has the program's closure as its first capture.
static uint32_t code_of_block(const void *block)
{
	struct closure_box {
		uintptr_t header[2];
		uintptr_t function;
	};
	const struct qs_captured_closure *outer = block;
	if (!qs_is_in_overlay((uintptr_t)outer->block.invoke)) return qs_block_code(block);
	const struct qs_captured_closure *inner = (const void *)outer->function;
	if (inner == NULL || !qs_is_in_overlay(inner->function) || inner->context == 0) return qs_block_code(block);
	return qs_code_of(((const struct closure_box *)inner->context)->function, (uintptr_t)inner->block.invoke);
}

// The queue may be NULL (DISPATCH_APPLY_AUTO): libdispatch then uses the caller's root queue.
QS_HOOK(void, dispatch_apply, (size_t iterations, void *queue, void *block))
{
	if (!qs_hook_records() || block == NULL || qs_block_has_private_data(block)) {
		original(dispatch_apply)(iterations, queue, block);
		return;
	}
	void *invoke = (void *)((struct qs_block *)block)->invoke;
	struct apply_call call = {.context = block, .work = (qs_apply_function_t)invoke};
	apply(&call, iterations, queue, code_of_block(block));
}

QS_HOOK(void, dispatch_apply_f, (size_t iterations, void *queue, void *context, qs_apply_function_t work))
{
	if (!qs_hook_records() || work == NULL) {
		original(dispatch_apply_f)(iterations, queue, context, work);
		return;
	}
	bool is_job;
	struct apply_call call = {.context = context, .work = work};
	apply(&call, iterations, queue, qs_function_code((qs_function_t)(void *)work, context, &is_job));
}
