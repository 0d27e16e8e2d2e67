// An assertion about the current queue that fails: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("assert.expected", NULL);
	dispatch_queue_t other = dispatch_queue_create("assert.actual", NULL);
	dispatch_sync(other, ^{
		puts("other");
		fflush(stdout);
		dispatch_assert_queue(queue);
		puts("not reached");
	});
	return 0;
}
