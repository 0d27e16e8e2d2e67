// Infinite recursion in an item, which ends at the guard page of the worker's stack.
//: ends SIGSEGV
#include "check.h"
#include <dispatch/dispatch.h>

static int deeper(volatile int *level)
{
	if (*level < 0)
		return 0;
	volatile int next = *level + 1;
	return deeper(&next) + *level;
}

int main(void)
{
	dispatch_async(dispatch_get_global_queue(0, 0), ^{
		volatile int level = 0;
		puts("down");
		fflush(stdout);
		printf("%d\n", deeper(&level));
	});
	dispatch_main();
}
