// Uses a queue that was created with dispatch_queue_create, whose target may still change.
//: finds mutable-target
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("misuse.old", NULL);
	dispatch_sync(queue, ^{ });
	dispatch_release(queue);
	return 0;
}
