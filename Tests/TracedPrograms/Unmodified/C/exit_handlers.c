// Exit handlers, destructors and thread-local destructors use Dispatch after main has returned.
//: ends 2
#include "check.h"
#include <dispatch/dispatch.h>

static dispatch_queue_t queue;

static void first_registered(void)
{
	__block int runs = 0;
	for (int i = 0; i < 10; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ });
	printf("last handler: %d runs\n", runs);
}

static void last_registered(void)
{
	dispatch_apply(4, NULL, ^(size_t i) { (void)i; });
	dispatch_queue_t fresh = dispatch_queue_create("exit.fresh", NULL);
	dispatch_sync(fresh, ^{ puts("first handler"); });
	dispatch_release(fresh);
}

__attribute__((destructor)) static void destructed(void)
{
	dispatch_sync(queue, ^{ puts("destructor"); });
}

int main(void)
{
	queue = dispatch_queue_create("exit", NULL);
	atexit(first_registered);
	atexit(last_registered);
	dispatch_async(queue, ^{ puts("item"); });
	dispatch_sync(queue, ^{ });
	return 2;
}
