// Asserts inside an item of a queue that the code is not on the queue: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("assert.not", NULL);
	dispatch_async(queue, ^{
		puts("on it");
		fflush(stdout);
		dispatch_assert_queue_not(queue);
		puts("not reached");
		exit(1);
	});
	dispatch_main();
}
