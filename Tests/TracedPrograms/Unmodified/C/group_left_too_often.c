// Leaving a group more often than entering it is an error: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_group_t group = dispatch_group_create();
	dispatch_group_enter(group);
	dispatch_group_leave(group);
	puts("balanced");
	fflush(stdout);
	dispatch_group_leave(group);
	puts("not reached");
	return 0;
}
