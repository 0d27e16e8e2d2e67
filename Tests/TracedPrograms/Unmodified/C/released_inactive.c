// Releasing a source that was never activated is an error: libdispatch ends the program.
//: ends trap
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, NULL);
	dispatch_source_set_event_handler(source, ^{ });
	puts("inactive");
	fflush(stdout);
	dispatch_release(source);
	puts("not reached");
	return 0;
}
