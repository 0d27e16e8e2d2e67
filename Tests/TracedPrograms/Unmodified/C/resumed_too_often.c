// Resuming a queue that is not suspended is an error: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("resumed", NULL);
	dispatch_suspend(queue);
	dispatch_resume(queue);
	puts("balanced");
	fflush(stdout);
	dispatch_resume(queue);
	puts("not reached");
	return 0;
}
