// A segmentation fault in an item.
//: ends SIGSEGV
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	int *volatile nowhere = NULL;
	dispatch_sync(dispatch_queue_create("fault", NULL), ^{
		puts("before");
		fflush(stdout);
		*nowhere = 1;
	});
	return 0;
}
