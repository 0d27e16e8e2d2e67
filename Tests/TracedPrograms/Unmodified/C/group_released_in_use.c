// Releasing a group that was entered and not left is an error: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_group_t group = dispatch_group_create();
	dispatch_group_enter(group);
	// Entering retains the group, so this release is not the last one.
	dispatch_release(group);
	puts("entered");
	fflush(stdout);
	dispatch_release(group);
	puts("not reached");
	return 0;
}
