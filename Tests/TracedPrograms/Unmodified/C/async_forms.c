// Every asynchronous form, as a block and as a function, with and without captures, with a NULL context.
//: items 10
#include "check.h"
#include <dispatch/dispatch.h>

static int runs;

static void with_context(void *context)
{
	CHECK(context == &runs);
	runs++;
}

static void without_context(void *context)
{
	CHECK(context == NULL);
	runs++;
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("forms.async", NULL);
	dispatch_group_t group = dispatch_group_create();
	int captured = 7;
	__block int seen = 0;

	dispatch_async(queue, ^{ runs++; });
	dispatch_async(queue, ^{ seen = captured; runs++; });
	dispatch_async_f(queue, &runs, with_context);
	dispatch_async_f(queue, NULL, without_context);
	dispatch_barrier_async(queue, ^{ runs++; });
	dispatch_barrier_async_f(queue, NULL, without_context);
	dispatch_group_async(group, queue, ^{ runs++; });
	dispatch_group_async_f(group, queue, NULL, without_context);
	CHECK(dispatch_group_wait(group, DISPATCH_TIME_FOREVER) == 0);
	// The block has the values at the time of the call.
	captured = 8;
	dispatch_async(queue, ^{ CHECK(captured == 8); runs++; });
	dispatch_sync(queue, ^{ });
	CHECK(seen == 7);
	printf("%d runs\n", runs);
	dispatch_release(group);
	dispatch_release(queue);
	return 0;
}
