// Blocks and functions that tail-call libdispatch: the return address of the call belongs to the caller of the block,
// which is not code of the program.
//: items 6
#include "check.h"
#include <dispatch/dispatch.h>

static dispatch_semaphore_t signalled;
static dispatch_group_t left;

static void suspend(void *queue)
{
	dispatch_suspend(queue);
}

static void wait_for_group(void *group)
{
	dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
}

int main(void)
{
	dispatch_queue_t first = dispatch_queue_create("last.first", NULL);
	dispatch_queue_t second = dispatch_queue_create("last.second", NULL);
	signalled = dispatch_semaphore_create(0);
	left = dispatch_group_create();

	dispatch_group_enter(left);
	dispatch_async(first, ^{
		dispatch_semaphore_wait(signalled, DISPATCH_TIME_FOREVER);
	});
	dispatch_async_f(first, left, wait_for_group);
	dispatch_async(second, ^{
		dispatch_semaphore_signal(signalled);
	});
	dispatch_async(second, ^{
		dispatch_group_leave(left);
	});
	dispatch_sync(first, ^{
		dispatch_suspend(second);
	});
	dispatch_resume(second);
	dispatch_sync_f(first, second, suspend);
	dispatch_resume(second);
	return 0;
}
