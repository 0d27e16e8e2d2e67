// quick_exit() in an item runs its own handlers, not the handlers of exit().
//: ends 12
#include "check.h"
#include <dispatch/dispatch.h>

static void at_exit(void) { puts("not reached"); }

static void at_quick_exit_handler(void)
{
	puts("quick");
	fflush(stdout);
}

int main(void)
{
	atexit(at_exit);
	at_quick_exit(at_quick_exit_handler);
	dispatch_async(dispatch_get_global_queue(0, 0), ^{ quick_exit(12); });
	dispatch_main();
}
