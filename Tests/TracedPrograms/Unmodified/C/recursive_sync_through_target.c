// `sync` on a queue whose target the thread already holds: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t target = dispatch_queue_create("recursive.target", NULL);
	dispatch_queue_t leaf = dispatch_queue_create_with_target("recursive.leaf", NULL, target);
	dispatch_async(leaf, ^{
		puts("outer");
		fflush(stdout);
		dispatch_sync(target, ^{ puts("not reached"); });
	});
	dispatch_sync(target, ^{ });
	dispatch_sync(leaf, ^{ });
	return 0;
}
