// Waits for block objects: with and without a timeout, after a direct call, before and after they finished.
//: items 2
#include "check.h"
#include <Block/Block.h>
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("wait", NULL);
	__block int runs = 0;

	dispatch_suspend(queue);
	dispatch_block_t item = dispatch_block_create(DISPATCH_BLOCK_DETACHED, ^{ runs++; });
	dispatch_async(queue, item);
	CHECK(dispatch_block_wait(item, DISPATCH_TIME_NOW) != 0);
	CHECK(dispatch_block_wait(item, dispatch_time(DISPATCH_TIME_NOW, NSEC_PER_MSEC)) != 0);
	CHECK(dispatch_block_wait(item, dispatch_walltime(NULL, NSEC_PER_MSEC)) != 0);
	dispatch_resume(queue);
	CHECK(dispatch_block_wait(item, DISPATCH_TIME_FOREVER) == 0);
	CHECK(runs == 1);
	Block_release(item);

	dispatch_block_t called = dispatch_block_create(DISPATCH_BLOCK_ASSIGN_CURRENT, ^{ runs++; });
	called();
	CHECK(dispatch_block_wait(called, DISPATCH_TIME_NOW) == 0);
	Block_release(called);

	dispatch_block_t synchronous = dispatch_block_create(DISPATCH_BLOCK_NO_QOS_CLASS, ^{ runs++; });
	dispatch_sync(queue, synchronous);
	CHECK(dispatch_block_wait(synchronous, DISPATCH_TIME_FOREVER) == 0);
	Block_release(synchronous);

	printf("%d runs\n", runs);
	dispatch_release(queue);
	return 0;
}
