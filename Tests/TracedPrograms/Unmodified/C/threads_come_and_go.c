// Thousands of threads, two at a time, which submit one item each: memory use must not grow.
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <sys/resource.h>

static dispatch_queue_t queue;

static void work(void *context)
{
	(void)context;
}

static void *submit(void *context)
{
	dispatch_sync_f(queue, NULL, work);
	dispatch_async_f(queue, NULL, work);
	return context;
}

// Peak memory after this number of threads, in KiB.
static long peak_after(int count)
{
	pthread_t threads[2];
	for (int made = 0; made < count; made += 2) {
		for (int index = 0; index < 2; index++) CHECK(pthread_create(&threads[index], NULL, submit, NULL) == 0);
		for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
	}
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

int main(void)
{
	queue = dispatch_queue_create("threads", NULL);
	long few = peak_after(1000);
	CHECK(peak_after(4000) - few < 16 * 1024);
	dispatch_sync_f(queue, NULL, work);
	return 0;
}
