// Thousands of threads with the smallest stack, each of which lives for one item.
// usage: threads COUNT
#define _GNU_SOURCE
#include <dispatch/dispatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { AT_ONCE = 16 };

static dispatch_queue_t queue;
static int runs;

static void run(void *context)
{
	(void)context;
	runs++;
}

static void *use_queue(void *argument)
{
	dispatch_sync_f(queue, NULL, run);
	dispatch_async_f(queue, NULL, run);
	return argument;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100;
	queue = dispatch_queue_create("torture.threads", NULL);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	size_t stack = (size_t)sysconf(_SC_THREAD_STACK_MIN);
	pthread_attr_setstacksize(&attributes, stack > 16384 ? stack : 16384);
	for (int made = 0; made < count; made += AT_ONCE) {
		pthread_t threads[AT_ONCE];
		for (int index = 0; index < AT_ONCE; index++) {
			if (pthread_create(&threads[index], &attributes, use_queue, NULL) != 0) return 1;
		}
		for (int index = 0; index < AT_ONCE; index++) pthread_join(threads[index], NULL);
	}
	dispatch_sync_f(queue, NULL, run);
	printf("%d runs\n", runs);
	return 0;
}
