// Nodes that carry a function and its context through libdispatch's `_f` functions, which take one pointer. The nodes
// come from a pool of the interposer, not from the program's allocator, and are reused. The address of a node
// identifies its item while the item is in flight.
#ifndef QS_CONTEXT_NODES_H
#define QS_CONTEXT_NODES_H

#include "hooks.h"

struct qs_context_node {
	struct qs_context_node *next;
	qs_function_t work;
	void *context;
	uint64_t extra;   // free for use by the caller
};

// Creates the key whose destructor returns a thread's nodes. Call early: glibc stores the values of the first keys
// without allocating memory.
void qs_context_nodes_prepare(void);

// Returns a node, or NULL when there is no memory; the caller then does not record the call.
struct qs_context_node *qs_context_node_take(qs_function_t work, void *context);

// Returns a node to the pool. Context: any thread.
void qs_context_node_give(struct qs_context_node *node);

#endif
