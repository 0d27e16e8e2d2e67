// Retargets a queue that is a target itself. This works for queues of dispatch_queue_create, and libdispatch logs it.
//: finds non-leaf-retarget mutable-target
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t first = dispatch_queue_create("misuse.first", NULL);
	dispatch_queue_t second = dispatch_queue_create("misuse.second", NULL);
	dispatch_queue_t middle = dispatch_queue_create("misuse.middle", NULL);
	dispatch_queue_t leaf = dispatch_queue_create_with_target("misuse.leaf", NULL, middle);
	dispatch_set_target_queue(middle, first); // the leaf already targets it
	dispatch_sync(leaf, ^{ });
	dispatch_set_target_queue(middle, second);
	dispatch_sync(leaf, ^{ });
	return 0;
}
