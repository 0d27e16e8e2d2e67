// Wrapper blocks around blocks of the program, for calls that must pass a block to libdispatch. When libdispatch copies
// or releases the wrapper, the wrapper copies or releases the inner block: at the same time and on the same thread as
// without the hook.
#ifndef QS_WRAPPER_BLOCKS_H
#define QS_WRAPPER_BLOCKS_H

#include "blocks.h"

// First member of every wrapper. The blocks runtime copies the members after it.
struct qs_wrapper_block {
	struct qs_block block;
	void *inner; // the program's block; NULL when the wrapper calls a function
};

// Copy and dispose functions for a wrapper's descriptor, or for calls from the wrapper's own functions.
void qs_wrapper_copy(void *to, const void *from);
void qs_wrapper_dispose(const void *block);

// Makes a wrapper on the stack. `inner` must stay valid until the wrapper is copied.
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
