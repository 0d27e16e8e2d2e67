// _exit() in an item while other items wait.
//: ends 11
#include "check.h"
#include <dispatch/dispatch.h>
#include <unistd.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("underscore", NULL);
	dispatch_async(queue, ^{
		puts("flushed");
		fflush(stdout);
		puts("never seen");
		_exit(11);
	});
	for (int i = 0; i < 100; i++)
		dispatch_async(queue, ^{ puts("not reached"); });
	dispatch_main();
}
