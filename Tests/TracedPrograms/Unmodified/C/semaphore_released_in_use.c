// Releasing a semaphore whose value is below its initial value is an error: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_semaphore_t semaphore = dispatch_semaphore_create(1);
	CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) == 0);
	puts("waited");
	fflush(stdout);
	dispatch_release(semaphore);
	puts("not reached");
	return 0;
}
