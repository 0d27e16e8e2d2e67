// Block objects that are cancelled before, during and after their run. A cancelled block object counts as finished.
//: items 2
#include "check.h"
#include <Block/Block.h>
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("cancel", NULL);
	__block int runs = 0;

	// Cancelled before it is submitted: it never runs, and its waiter and notification do not hang.
	dispatch_block_t early = dispatch_block_create(0, ^{ runs += 1; });
	dispatch_block_cancel(early);
	CHECK(dispatch_block_testcancel(early) != 0);
	dispatch_semaphore_t notified = dispatch_semaphore_create(0);
	dispatch_block_notify(early, queue, ^{ dispatch_semaphore_signal(notified); });
	dispatch_async(queue, early);
	CHECK(dispatch_block_wait(early, DISPATCH_TIME_FOREVER) == 0);
	dispatch_semaphore_wait(notified, DISPATCH_TIME_FOREVER);
	Block_release(early);

	// Cancelled while it waits in the queue.
	dispatch_suspend(queue);
	dispatch_block_t waiting = dispatch_block_create(0, ^{ runs += 10; });
	dispatch_async(queue, waiting);
	dispatch_block_cancel(waiting);
	dispatch_resume(queue);
	CHECK(dispatch_block_wait(waiting, DISPATCH_TIME_FOREVER) == 0);
	Block_release(waiting);

	// Cancelled while it runs: it continues.
	dispatch_semaphore_t running = dispatch_semaphore_create(0);
	dispatch_semaphore_t cancelled = dispatch_semaphore_create(0);
	dispatch_block_t late = dispatch_block_create(0, ^{
		dispatch_semaphore_signal(running);
		dispatch_semaphore_wait(cancelled, DISPATCH_TIME_FOREVER);
		runs += 100;
	});
	dispatch_async(queue, late);
	dispatch_semaphore_wait(running, DISPATCH_TIME_FOREVER);
	dispatch_block_cancel(late);
	dispatch_semaphore_signal(cancelled);
	CHECK(dispatch_block_wait(late, DISPATCH_TIME_FOREVER) == 0);
	CHECK(dispatch_block_testcancel(late) != 0);
	Block_release(late);

	// Cancelled after it ran. Running it again has no effect: by a direct call, by sync, by a group.
	dispatch_block_t after = dispatch_block_create(0, ^{ runs += 1000; });
	after();
	dispatch_block_cancel(after);
	after();
	dispatch_sync(queue, after);
	dispatch_group_t group = dispatch_group_create();
	dispatch_group_async(group, queue, after);
	CHECK(dispatch_group_wait(group, DISPATCH_TIME_FOREVER) == 0);
	Block_release(after);

	printf("runs %d\n", runs);
	dispatch_release(group);
	dispatch_release(cancelled);
	dispatch_release(running);
	dispatch_release(notified);
	dispatch_release(queue);
	return 0;
}
