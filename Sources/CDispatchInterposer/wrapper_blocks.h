// Blocks of ours around blocks of the program's, for what must go through libdispatch as a block. libdispatch copies
// and releases ours, and that copies and releases the one inside: at the same moments, and on the same threads, as
// without us.
#ifndef QS_WRAPPER_BLOCKS_H
#define QS_WRAPPER_BLOCKS_H

#include "blocks.h"

// The first member of every wrapper. What follows it is copied with the block.
struct qs_wrapper_block {
	struct qs_block block;
	void *inner; // the program's block; NULL when the wrapper calls something else
};

// What a wrapper's descriptor needs, or its own copy and dispose functions call.
void qs_wrapper_copy(void *to, const void *from);
void qs_wrapper_dispose(const void *block);

// Makes a wrapper on the stack. `inner` must live as long as the wrapper is not copied.
static inline struct qs_wrapper_block qs_wrapper(
	void (*invoke)(void *), const struct qs_block_descriptor *descriptor, void *inner)
{
	return (struct qs_wrapper_block){
		.block = {
			.isa = qs_helpers.stack_block,
			.flags = QS_BLOCK_HAS_COPY_DISPOSE,
			.invoke = invoke,
			.descriptor = descriptor,
		},
		.inner = inner,
	};
}

#endif
