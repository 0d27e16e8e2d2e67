// `sync` on a serial queue that the thread already holds: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("recursive", NULL);
	dispatch_sync(queue, ^{
		puts("outer");
		fflush(stdout);
		dispatch_sync(queue, ^{ puts("not reached"); });
	});
	return 0;
}
