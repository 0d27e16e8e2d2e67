// The global queues of every priority and QoS class, and requests for queues that do not exist.
//: items 18
#include "check.h"
#include "unlisted.h"

int main(void)
{
	static const long identifiers[] = {
		DISPATCH_QUEUE_PRIORITY_HIGH, DISPATCH_QUEUE_PRIORITY_DEFAULT, DISPATCH_QUEUE_PRIORITY_LOW,
		DISPATCH_QUEUE_PRIORITY_BACKGROUND, QOS_CLASS_USER_INTERACTIVE, QOS_CLASS_USER_INITIATED, QOS_CLASS_DEFAULT,
		QOS_CLASS_UTILITY, QOS_CLASS_BACKGROUND,
	};
	dispatch_group_t group = dispatch_group_create();

	for (size_t i = 0; i < sizeof identifiers / sizeof *identifiers; i++) {
		dispatch_queue_t queue = dispatch_get_global_queue(identifiers[i], 0);
		CHECK(queue != NULL);
		CHECK(queue == dispatch_get_global_queue(identifiers[i], 0));
		printf("%ld %s\n", identifiers[i], dispatch_queue_get_label(queue));
		dispatch_group_async(group, queue, ^{ });
		dispatch_sync(queue, ^{ });
		// Global queues accept and ignore these calls.
		dispatch_suspend(queue);
		dispatch_resume(queue);
		dispatch_retain(queue);
		dispatch_release(queue);
	}
	CHECK(dispatch_get_global_queue(0x77, 0) == NULL);
	CHECK(dispatch_get_global_queue(0, 0x100) == NULL);
	// Flag 2: the overcommitting queue.
	CHECK(dispatch_get_global_queue(0, 2) != dispatch_get_global_queue(0, 0));
	dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
	return 0;
}
