// A signal with its default action ends the program during its work.
//: ends SIGTERM
#include "check.h"
#include <dispatch/dispatch.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
	dispatch_apply(100, NULL, ^(size_t i) { (void)i; });
	puts("before");
	fflush(stdout);
	dispatch_sync(dispatch_queue_create("killed", NULL), ^{ kill(getpid(), SIGTERM); });
	for (;;)
		pause();
}
