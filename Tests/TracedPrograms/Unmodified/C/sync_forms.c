// Every synchronous form, as a block and as a function, with a NULL context, on serial, concurrent and global queues.
//: items 27
#include "check.h"
#include "unlisted.h"

static int runs;

static void without_context(void *context)
{
	CHECK(context == NULL);
	runs++;
}

static void try_all(dispatch_queue_t queue)
{
	int captured = runs;
	__block int seen = -1;

	dispatch_sync(queue, ^{ seen = captured; runs++; });
	CHECK(seen == captured);
	dispatch_sync(queue, ^{ runs++; });
	dispatch_sync_f(queue, NULL, without_context);
	dispatch_barrier_sync(queue, ^{ runs++; });
	dispatch_barrier_sync_f(queue, NULL, without_context);
	dispatch_async_and_wait(queue, ^{ seen = runs++; });
	CHECK(seen == captured + 5);
	dispatch_async_and_wait_f(queue, NULL, without_context);
	dispatch_barrier_async_and_wait(queue, ^{ runs++; });
	dispatch_barrier_async_and_wait_f(queue, NULL, without_context);
}

int main(void)
{
	dispatch_queue_t serial = dispatch_queue_create("forms.serial", DISPATCH_QUEUE_SERIAL);
	dispatch_queue_t concurrent = dispatch_queue_create("forms.concurrent", DISPATCH_QUEUE_CONCURRENT);

	try_all(serial);
	try_all(concurrent);
	try_all(dispatch_get_global_queue(0, 0));
	printf("%d runs\n", runs);
	dispatch_release(concurrent);
	dispatch_release(serial);
	return 0;
}
