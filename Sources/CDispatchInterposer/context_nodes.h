// Nodes that carry a function and its context through libdispatch's `_f` functions, which have room for one pointer.
// They come from a pool of our own, never from the program's allocator, and are used again; a node's address identifies
// its item while it is in flight.
#ifndef QS_CONTEXT_NODES_H
#define QS_CONTEXT_NODES_H

#include "hooks.h"

struct qs_context_node {
	struct qs_context_node *next;
	qs_function_t work;
	void *context;
	uint64_t extra;   // for whoever made it
};

// Makes the key by which a thread's nodes are given back at its end: early, as glibc keeps the values of early keys
// without allocating memory.
void qs_context_nodes_prepare(void);

// A node, NULL when there is no memory: then the call goes through unrecorded.
struct qs_context_node *qs_context_node_take(qs_function_t work, void *context);

// Gives a node back, on any thread.
void qs_context_node_give(struct qs_context_node *node);

#endif
