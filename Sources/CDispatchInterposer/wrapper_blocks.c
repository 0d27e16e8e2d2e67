#include "wrapper_blocks.h"

// Called after the blocks runtime has copied all bytes.
void qs_wrapper_copy(void *to, const void *from)
{
	const struct qs_wrapper_block *wrapper = from;
	if (wrapper->inner != NULL) ((struct qs_wrapper_block *)to)->inner = qs_helpers.block_copy(wrapper->inner);
	qs_tsan_release(to);
}

void qs_wrapper_dispose(const void *block)
{
	const struct qs_wrapper_block *wrapper = block;
	qs_tsan_acquire(wrapper);
	if (wrapper->inner != NULL) qs_helpers.block_release(wrapper->inner);
}
