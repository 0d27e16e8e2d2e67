// Groups: enter and leave, nested use, notifications as blocks and functions, waits with and without a timeout.
//: items 11
#include "check.h"
#include <dispatch/dispatch.h>

static int notified;

static void notify_function(void *context)
{
	CHECK(context == NULL);
	notified++;
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("group", NULL);
	dispatch_group_t group = dispatch_group_create();

	// A wait for an empty group succeeds.
	CHECK(dispatch_group_wait(group, DISPATCH_TIME_NOW) == 0);
	dispatch_group_notify(group, queue, ^{ notified++; });
	dispatch_sync(queue, ^{ CHECK(notified == 1); });

	dispatch_group_enter(group);
	CHECK(dispatch_group_wait(group, DISPATCH_TIME_NOW) != 0);
	CHECK(dispatch_group_wait(group, dispatch_time(DISPATCH_TIME_NOW, NSEC_PER_MSEC)) != 0);
	CHECK(dispatch_group_wait(group, dispatch_walltime(NULL, NSEC_PER_MSEC)) != 0);
	dispatch_group_notify(group, queue, ^{ notified++; });
	dispatch_group_notify_f(group, queue, NULL, notify_function);
	dispatch_sync(queue, ^{ CHECK(notified == 1); });
	dispatch_group_leave(group);
	dispatch_sync(queue, ^{ CHECK(notified == 3); });

	// The owner releases the group while items are in it: the group exists until they finish.
	dispatch_suspend(queue);
	dispatch_group_async(group, queue, ^{ notified++; });
	dispatch_group_notify(group, queue, ^{ notified++; });
	dispatch_release(group);
	dispatch_resume(queue);
	dispatch_sync(queue, ^{ });
	dispatch_sync(queue, ^{ });

	dispatch_group_t with_block = dispatch_group_create();
	dispatch_block_t object = dispatch_block_create(DISPATCH_BLOCK_BARRIER, ^{ notified++; });
	dispatch_group_notify(with_block, queue, object);
	CHECK(dispatch_block_wait(object, DISPATCH_TIME_FOREVER) == 0);
	printf("%d notified\n", notified);
	return 0;
}
