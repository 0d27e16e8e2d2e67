// A thread makes another thread. Both record their first event later.
//: items 3
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>

static dispatch_queue_t queue;
static int made_result;

static void *child(void *argument)
{
	CHECK(argument == &made_result);
	pthread_setname_np(pthread_self(), "child");
	dispatch_sync(queue, ^{ puts("child"); });
	return argument;
}

static void *maker(void *argument)
{
	pthread_setname_np(pthread_self(), "maker");
	pthread_t thread;
	void *result = NULL;
	CHECK(pthread_create(&thread, NULL, child, &made_result) == 0);
	CHECK(pthread_join(thread, &result) == 0 && result == &made_result);
	dispatch_sync(queue, ^{ puts("maker"); });
	return argument;
}

int main(void)
{
	queue = dispatch_queue_create("app.makers", NULL);
	dispatch_sync(queue, ^{ puts("main"); });
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, maker, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	return 0;
}
