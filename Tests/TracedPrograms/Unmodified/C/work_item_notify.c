// Notifications of a block object: several, with block objects as notifications, before and after it has finished.
//: items 5
#include "check.h"
#include <Block/Block.h>
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("notify.work", NULL);
	dispatch_queue_t notifications = dispatch_queue_create("notify.notifications", NULL);
	dispatch_semaphore_t last = dispatch_semaphore_create(0);
	__block int order = 0;

	dispatch_block_t item = dispatch_block_create(0, ^{ CHECK(order++ == 0); });
	dispatch_block_notify(item, notifications, ^{ CHECK(order++ == 1); });
	dispatch_block_t object = dispatch_block_create(DISPATCH_BLOCK_BARRIER, ^{ CHECK(order++ == 2); });
	dispatch_block_notify(item, notifications, object);
	dispatch_block_notify(item, notifications, ^{ dispatch_semaphore_signal(last); });
	dispatch_async(queue, item);
	dispatch_semaphore_wait(last, DISPATCH_TIME_FOREVER);
	CHECK(order == 3);
	// The block object has finished: the notification is submitted at once.
	dispatch_block_notify(item, notifications, ^{ order++; dispatch_semaphore_signal(last); });
	dispatch_semaphore_wait(last, DISPATCH_TIME_FOREVER);
	CHECK(dispatch_block_wait(object, DISPATCH_TIME_FOREVER) == 0);

	printf("order %d\n", order);
	Block_release(object);
	Block_release(item);
	dispatch_release(last);
	dispatch_release(notifications);
	dispatch_release(queue);
	return 0;
}
