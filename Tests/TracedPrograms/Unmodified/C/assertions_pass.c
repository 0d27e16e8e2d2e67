// Assertions about the current queue that pass: in asynchronous and synchronous items, for target queues, and outside.
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t target = dispatch_queue_create("assert.target", NULL);
	dispatch_queue_t queue = dispatch_queue_create_with_target("assert.leaf", DISPATCH_QUEUE_CONCURRENT, target);
	dispatch_queue_t other = dispatch_queue_create("assert.other", NULL);

	dispatch_assert_queue_not(queue);
	dispatch_assert_queue(dispatch_get_main_queue());
	dispatch_sync(queue, ^{
		dispatch_assert_queue(queue);
		dispatch_assert_queue(target);
		dispatch_assert_queue_not(other);
	});
	dispatch_barrier_sync(queue, ^{ dispatch_assert_queue_barrier(queue); });
	dispatch_barrier_async(queue, ^{ dispatch_assert_queue_barrier(queue); });
	dispatch_async(other, ^{
		dispatch_assert_queue(other);
		dispatch_assert_queue_not(queue);
		// A synchronous item is also on its caller's queue.
		dispatch_sync(queue, ^{
			dispatch_assert_queue(other);
			dispatch_assert_queue(queue);
		});
	});
	dispatch_sync(other, ^{ });
	dispatch_barrier_sync(queue, ^{ });
	puts("all hold");
	dispatch_release(queue);
	dispatch_release(other);
	dispatch_release(target);
	return 0;
}
