// Shared by the families of hooks: submitting a block or a function as a recorded item.
#ifndef QS_RECORDING_ITEMS_H
#define QS_RECORDING_ITEMS_H

#include "blocks.h"
#include "context_nodes.h"
#include "encounters.h"
#include "work_items.h"

// `flatten`: the link-time optimiser inlines the writer of the most frequent event into the hooks.
static inline __attribute__((always_inline, flatten)) void qs_record_enqueue(
	uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos)
{
	qs_record_item_enqueue(item, queue, code, kind, qos);
}

// Records the submission of an item.
static inline void qs_record_submission(
	uint64_t item, const void *queue, uint32_t code, uint8_t kind, uint8_t qos, bool is_barrier)
{
	qs_record_enqueue(item, qs_queue_number(queue), code, kind, qos);
	if (is_barrier) qs_record_item_barrier(item);
}

// Runs and releases a copied block whose address is its item's id. Passed to the `_f` form that replaces the block
// form.
void qs_run_block(void *copy);

// Runs and releases the block of a context node whose address is its item's id, and returns the node to the pool.
void qs_run_shared_block(void *node);

// The function and context that replace a block. The context's address is the item's id.
struct qs_submitted_block {
	void *context;
	qs_function_t run;
};

// Copies a block for a submission. The context is NULL when there is no memory; libdispatch then waits for memory.
static inline __attribute__((always_inline)) struct qs_submitted_block qs_submitted_block(void *block)
{
	struct qs_submitted_block result = {qs_helpers.block_copy(block), qs_run_block};
	if (qs_unlikely(result.context == block)) {
		// The block captures nothing, or is on the heap already: it may be in flight several times under one address.
		struct qs_context_node *node = qs_context_node_take(NULL, block);
		if (node != NULL) result = (struct qs_submitted_block){node, qs_run_shared_block};
	}
	return result;
}

// Runs the function of a context node whose address is its item's id, and returns the node to the pool.
void qs_run_node(void *node);

// Runs a block as an item. Used by wrapper blocks, which keep their inner block.
static inline void qs_run_as_item(uint64_t item, void *block)
{
	qs_record_callout_begin(item);
	((struct qs_block *)block)->invoke(block);
	qs_record_callout_end();
}

// The state of a sync from its call to its return. Lives on the caller's stack.
struct qs_sync_call {
	void *context;
	qs_function_t work;
	const void *queue;
	uint64_t serial;
	uint64_t level;      // serial number of the queue that was held
	uint32_t code;
	uint32_t holder;     // the thread that held it, then the thread that handed it over
	uint8_t kind;
	uint8_t qos;
	bool is_barrier;
	bool is_entered;     // sync_enter or sync_wait is recorded; the item's id is the address of this structure
	bool is_blocked;     // the sync had to wait
};

// Records that the thread is about to sleep in libdispatch because of this sync.
void qs_sync_call_sleep(struct qs_sync_call *call);

// Ends the entry of a sync: later sleeps of this thread have another cause. When another thread runs the call, that
// thread has no entry to end.
static inline void qs_sync_call_entered(const struct qs_sync_call *call)
{
	if (qs_hook_thread.entering == call) qs_hook_thread.entering = NULL;
}

// Call before and after the code of an entered sync, on the thread that runs it.
void qs_sync_call_begin(struct qs_sync_call *call);
void qs_sync_call_end(struct qs_sync_call *call);

#endif
