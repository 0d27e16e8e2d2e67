// Threads that use Dispatch and end, some by pthread_exit, some detached, some cancelled. Items outlive them.
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <stdatomic.h>

static dispatch_queue_t queue;
static dispatch_group_t group;
static atomic_int runs;

static void *returning(void *argument)
{
	for (int i = 0; i < 10; i++)
		dispatch_group_async(group, queue, ^{ atomic_fetch_add(&runs, 1); });
	dispatch_sync(queue, ^{ atomic_fetch_add(&runs, 1); });
	return argument;
}

static void *exiting(void *argument)
{
	returning(NULL);
	pthread_exit(argument);
}

static void *cancelled(void *argument)
{
	(void)argument;
	returning(NULL);
	dispatch_group_leave(group);
	for (;;)
		pthread_testcancel();
}

int main(void)
{
	queue = dispatch_queue_create("threads", NULL);
	group = dispatch_group_create();
	pthread_attr_t detached;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);

	for (int round = 0; round < 50; round++) {
		pthread_t threads[4];
		void *result;
		pthread_create(&threads[0], NULL, returning, &runs);
		pthread_create(&threads[1], NULL, exiting, &group);
		dispatch_group_enter(group);
		pthread_create(&threads[2], NULL, cancelled, NULL);
		CHECK(pthread_create(&threads[3], &detached, exiting, NULL) == 0);
		CHECK(pthread_join(threads[0], &result) == 0 && result == &runs);
		CHECK(pthread_join(threads[1], &result) == 0 && result == &group);
		dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
		pthread_cancel(threads[2]);
		CHECK(pthread_join(threads[2], &result) == 0 && result == PTHREAD_CANCELED);
	}
	while (atomic_load(&runs) < 50 * 4 * 11)
		dispatch_sync(queue, ^{ });
	printf("%d runs\n", runs);
	return 0;
}
