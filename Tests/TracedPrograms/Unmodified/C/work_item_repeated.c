// One block object that is submitted several times, to several queues, and called directly.
//: items 52
#include "check.h"
#include <Block/Block.h>
#include <dispatch/dispatch.h>
#include <stdatomic.h>

int main(void)
{
	dispatch_queue_t first = dispatch_queue_create("repeated.first", NULL);
	dispatch_queue_t second = dispatch_queue_create("repeated.second", DISPATCH_QUEUE_CONCURRENT);
	dispatch_group_t group = dispatch_group_create();
	__block atomic_int runs = 0;

	dispatch_block_t item = dispatch_block_create(0, ^{ atomic_fetch_add(&runs, 1); });
	for (int i = 0; i < 10; i++) {
		dispatch_async(first, item);
		dispatch_async(second, item);
		dispatch_group_async(group, second, item);
		dispatch_sync(first, item);
		dispatch_after(DISPATCH_TIME_NOW, first, item);
		item();
	}
	dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
	dispatch_barrier_sync(second, ^{ });
	// `after` with a time in the past submits at once.
	dispatch_sync(first, ^{ });
	printf("%d runs\n", runs);
	Block_release(item);
	dispatch_release(group);
	dispatch_release(second);
	dispatch_release(first);
	return 0;
}
