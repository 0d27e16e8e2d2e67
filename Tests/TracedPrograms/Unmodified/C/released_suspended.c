// Releasing a suspended queue is an error: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("suspended", NULL);
	dispatch_suspend(queue);
	puts("suspended");
	fflush(stdout);
	dispatch_release(queue);
	puts("not reached");
	return 0;
}
