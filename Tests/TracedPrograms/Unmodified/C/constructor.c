// Uses Dispatch in a constructor, before main.
//: items 11
#include "check.h"
#include <dispatch/dispatch.h>

static int runs;

__attribute__((constructor(101))) static void early(void)
{
	dispatch_queue_t queue = dispatch_queue_create("constructor", NULL);
	for (int i = 0; i < 10; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ });
	dispatch_apply(2, NULL, ^(size_t i) { (void)i; });
	dispatch_release(queue);
}

int main(void)
{
	printf("%d runs before main\n", runs);
	return 0;
}
