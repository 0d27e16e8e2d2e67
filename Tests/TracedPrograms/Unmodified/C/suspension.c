// Suspended and inactive queues: no item runs before the resume, and all items run in order afterwards.
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t target = dispatch_queue_create("suspension.target", NULL);
	dispatch_queue_t queue = dispatch_queue_create(
		"suspension.leaf", dispatch_queue_attr_make_initially_inactive(DISPATCH_QUEUE_SERIAL));
	__block int next = 0;

	for (int i = 0; i < 5; i++)
		dispatch_async(queue, ^{ CHECK(next == i); next++; });
	dispatch_set_target_queue(queue, target);
	CHECK(next == 0);
	dispatch_activate(queue);
	dispatch_activate(queue);
	dispatch_sync(queue, ^{ CHECK(next == 5); });

	// Nested suspensions, and a suspension of the queue's target.
	dispatch_suspend(queue);
	dispatch_suspend(queue);
	for (int i = 5; i < 8; i++)
		dispatch_async(queue, ^{ CHECK(next == i); next++; });
	dispatch_resume(queue);
	dispatch_sync(target, ^{ CHECK(next == 5); });
	dispatch_suspend(target);
	dispatch_resume(queue);
	CHECK(next == 5);
	dispatch_resume(target);
	dispatch_sync(queue, ^{ CHECK(next == 8); });

	// Suspended by its own item: later items wait.
	dispatch_async(queue, ^{
		dispatch_suspend(queue);
		next++;
	});
	dispatch_async(queue, ^{ CHECK(next == 10); });
	while (*(volatile int *)&next != 9)
		dispatch_sync(target, ^{ });
	next++;
	dispatch_resume(queue);
	dispatch_sync(queue, ^{ });
	printf("next %d\n", next);
	dispatch_release(queue);
	dispatch_release(target);
	return 0;
}
