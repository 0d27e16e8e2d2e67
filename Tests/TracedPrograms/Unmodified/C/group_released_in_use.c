// Releasing a group that somebody has entered and not left is a mistake: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_group_t group = dispatch_group_create();
	dispatch_group_enter(group);
	// Entering retains the group: this release is not yet the last.
	dispatch_release(group);
	puts("entered");
	fflush(stdout);
	dispatch_release(group);
	puts("not reached");
	return 0;
}
