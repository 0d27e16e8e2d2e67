// An escaping block is copied before the call returns and released after it ran, with the blocks that it captured.
//: items 5
#include "check.h"
#include <Block/Block.h>
#include <dispatch/dispatch.h>

static dispatch_block_t capturing(int *counter)
{
	return Block_copy(^{ (*counter)++; });
}

static void submit_from_stack(dispatch_queue_t queue, int *counter)
{
	int numbers[64];
	for (int i = 0; i < 64; i++)
		numbers[i] = i;
	int last = numbers[63];
	dispatch_async(queue, ^{ *counter += last; });
}

static void overwrite_stack(void)
{
	volatile char bytes[4096];
	for (int i = 0; i < 4096; i++)
		bytes[i] = (char)0xAA;
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("copied", NULL);
	int counter = 0;

	dispatch_suspend(queue);
	submit_from_stack(queue, &counter);
	overwrite_stack();
	dispatch_block_t inner = capturing(&counter);
	dispatch_async(queue, ^{ inner(); });
	dispatch_async(queue, inner);
	dispatch_async(queue, inner);
	Block_release(inner);
	overwrite_stack();
	dispatch_resume(queue);
	dispatch_sync(queue, ^{ });
	printf("counter %d\n", counter);
	dispatch_release(queue);
	return 0;
}
