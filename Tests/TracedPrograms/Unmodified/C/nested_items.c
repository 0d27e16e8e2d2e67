// Nested items: synchronous calls through many queues, asynchronous items that submit the next one, apply in between.
//: items 1100
#include "check.h"
#include <dispatch/dispatch.h>

enum { DEPTH = 100 };

static dispatch_queue_t queues[DEPTH];
static dispatch_semaphore_t done;
static int deepest, chain;

static void descend(int level)
{
	if (level == DEPTH) {
		deepest = level;
		return;
	}
	if (level % 2)
		dispatch_sync(queues[level], ^{ descend(level + 1); });
	else
		dispatch_barrier_sync(queues[level], ^{ descend(level + 1); });
}

static void next(void *context)
{
	if (++chain == 1000) {
		dispatch_semaphore_signal(done);
		return;
	}
	dispatch_async_f(queues[chain % DEPTH], context, next);
}

int main(void)
{
	done = dispatch_semaphore_create(0);
	for (int i = 0; i < DEPTH; i++)
		queues[i] = dispatch_queue_create("nested", i % 3 ? DISPATCH_QUEUE_SERIAL : DISPATCH_QUEUE_CONCURRENT);
	descend(0);
	dispatch_async_f(queues[0], NULL, next);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	printf("%d deep, %d long\n", deepest, chain);
	return 0;
}
