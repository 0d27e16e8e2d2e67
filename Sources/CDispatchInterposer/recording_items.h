// What the families of hooks share: submitting a block or a function as a recorded item.
#ifndef QS_RECORDING_ITEMS_H
#define QS_RECORDING_ITEMS_H

#include "blocks.h"
#include "context_nodes.h"
#include "queue_state.h"
#include "work_items.h"

// Records the submission of an item.
static inline void qs_record_submission(uint64_t item, const void *queue, uint32_t code, uint8_t kind, uint8_t qos, bool is_barrier)
{
	qs_record_item_enqueue(item, qs_serial(queue), code, kind, qos);
	if (is_barrier) qs_record_item_barrier(item);
}

// Runs and releases a copied block whose address is its item. The context of the `_f` form that took the place of the
// block form.
void qs_run_block(void *copy);

// Runs and releases the block of a context node whose address is its item, and gives the node back.
void qs_run_shared_block(void *node);

// What libdispatch is to run in the place of a block: the context's address is the item's id.
struct qs_submitted_block {
	void *context;
	qs_function_t run;
};

// Copies a block for a submission. Without a context when there is no memory, for which libdispatch waits.
static inline __attribute__((always_inline)) struct qs_submitted_block qs_submitted_block(void *block)
{
	struct qs_submitted_block result = {qs_helpers.block_copy(block), qs_run_block};
	if (qs_unlikely(result.context == block)) {
		// It captures nothing, or is on the heap already: the same address may be in flight several times.
		struct qs_context_node *node = qs_context_node_take(NULL, block);
		if (node != NULL) result = (struct qs_submitted_block){node, qs_run_shared_block};
	}
	return result;
}

// Runs the function of a context node whose address is its item, and gives the node back.
void qs_run_node(void *node);

// Runs a block as an item: for wrapper blocks, which keep their own.
static inline void qs_run_as_item(uint64_t item, void *block)
{
	qs_record_callout_begin(item);
	((struct qs_block *)block)->invoke(block);
	qs_record_callout_end();
}

// A sync between its call and its return. Lives on the caller's stack.
struct qs_sync_call {
	void *context;
	qs_function_t work;
	const void *queue;
	uint32_t serial;
	uint32_t code;
	uint32_t level;      // the queue that was held
	uint32_t holder;     // the thread that held it, then the one that handed it over
	uint8_t kind;
	uint8_t qos;
	bool is_barrier;
	bool is_entered;     // sync_enter or sync_wait is recorded, so its item has an id: this structure's address
	bool is_blocked;     // it had to wait
};

// The thread is about to sleep in libdispatch because of this sync.
void qs_sync_call_sleep(struct qs_sync_call *call);

// From here on what this thread sleeps for is something else than entering this sync. Another thread may run the call,
// which is none that it enters.
static inline void qs_sync_call_entered(const struct qs_sync_call *call)
{
	if (qs_hook_thread.entering == call) qs_hook_thread.entering = NULL;
}

// The code of an entered sync starts and ends, on whichever thread.
void qs_sync_call_begin(struct qs_sync_call *call);
void qs_sync_call_end(struct qs_sync_call *call);

#endif
