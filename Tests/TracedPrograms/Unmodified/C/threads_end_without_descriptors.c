// One thread uses descriptors and always gets the lowest free one. Other threads use a queue and end.
//: items 3000
#include "check.h"
#include <dispatch/dispatch.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 3000 };

static dispatch_queue_t queue;
static atomic_bool has_ended;

/* Uses no worker threads: libdispatch opens files to count the running workers. */
static void *use_queue(void *unused)
{
	dispatch_sync(queue, ^{ });
	return unused;
}

static void *start_threads(void *unused)
{
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;
		CHECK(pthread_create(&thread, NULL, use_queue, NULL) == 0);
		CHECK(pthread_join(thread, NULL) == 0);
	}
	has_ended = true;
	return unused;
}

int main(void)
{
	int null = open("/dev/null", O_RDWR);
	queue = dispatch_queue_create("ends", NULL);
	pthread_t starter;
	CHECK(pthread_create(&starter, NULL, start_threads, NULL) == 0);
	while (!has_ended) {
		CHECK(close(STDIN_FILENO) == 0);
		CHECK(dup(null) == STDIN_FILENO);
	}
	CHECK(pthread_join(starter, NULL) == 0);
	printf("%d threads\n", THREADS);
	return 0;
}
