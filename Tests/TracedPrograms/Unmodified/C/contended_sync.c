// Many threads wait for a serial queue and its target, with asynchronous items in between.
//: items 12943
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>

static dispatch_queue_t target, queue;
static long counter, asynchronous;

static void *contend(void *argument)
{
	for (int i = 0; i < 2000; i++) {
		dispatch_sync(i % 2 ? queue : target, ^{ counter++; });
		if (i % 16 == 0)
			dispatch_async(queue, ^{ asynchronous++; });
		if (i % 64 == 0)
			dispatch_barrier_sync(queue, ^{ counter++; });
	}
	return argument;
}

int main(void)
{
	pthread_t threads[6];
	target = dispatch_queue_create("contended.target", NULL);
	queue = dispatch_queue_create_with_target("contended.leaf", NULL, target);
	for (int i = 0; i < 6; i++)
		pthread_create(&threads[i], NULL, contend, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
	dispatch_sync(queue, ^{ });
	printf("%ld and %ld\n", counter, asynchronous);
	return 0;
}
