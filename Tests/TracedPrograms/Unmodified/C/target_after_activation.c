// Changing the target of an active queue that was created with a target: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t target = dispatch_queue_create("target", NULL);
	dispatch_queue_t queue = dispatch_queue_create_with_target("activated", NULL, NULL);
	dispatch_sync(queue, ^{ puts("active"); fflush(stdout); });
	dispatch_set_target_queue(queue, target);
	puts("not reached");
	return 0;
}
