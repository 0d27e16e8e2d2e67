// Threads with the smallest stack that the system allows use Dispatch and mutexes. Others have a very large stack.
#include "check.h"
#include <dispatch/dispatch.h>
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

static dispatch_queue_t queue;
static dispatch_semaphore_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int runs, locked;

static void run(void *context)
{
	(void)context;
	runs++;
}

static void *use_all(void *argument)
{
	dispatch_group_t group = dispatch_group_create();
	for (int i = 0; i < 20; i++) {
		dispatch_async_f(queue, NULL, run);
		dispatch_group_async_f(group, queue, NULL, run);
		dispatch_group_notify_f(group, queue, NULL, run);
		dispatch_sync_f(queue, NULL, run);
		dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER);
		dispatch_semaphore_signal(semaphore);
		pthread_mutex_lock(&mutex);
		locked++;
		pthread_mutex_unlock(&mutex);
		dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
		dispatch_after_f(DISPATCH_TIME_NOW, queue, NULL, run);
		dispatch_queue_t own = dispatch_queue_create("stack.own", NULL);
		dispatch_sync_f(own, NULL, run);
		dispatch_release(own);
	}
	dispatch_release(group);
	return argument;
}

int main(void)
{
	queue = dispatch_queue_create("stack", NULL);
	semaphore = dispatch_semaphore_create(1);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	size_t smallest = (size_t)sysconf(_SC_THREAD_STACK_MIN);
	if (smallest < PTHREAD_STACK_MIN)
		smallest = PTHREAD_STACK_MIN;
	size_t sizes[] = { smallest, smallest, 64 << 20 };
	for (int i = 0; i < 3; i++) {
		pthread_t thread;
		CHECK(pthread_attr_setstacksize(&attributes, sizes[i]) == 0);
		CHECK(pthread_create(&thread, &attributes, use_all, NULL) == 0);
		CHECK(pthread_join(thread, NULL) == 0);
	}
	dispatch_sync_f(queue, NULL, run);
	printf("%s, %d locked\n", runs > 300 ? "all ran" : "some missed", locked);
	return 0;
}
