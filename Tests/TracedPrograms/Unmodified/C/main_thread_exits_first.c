// The main thread leaves by pthread_exit, with output that is still buffered; the program ends with its last thread.
//: ends 0
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <unistd.h>

static void exits(void)
{
	dispatch_sync(dispatch_queue_create("exit", NULL), ^{ puts("exit handler"); });
}

static void *go_on(void *main_thread)
{
	CHECK(pthread_join((pthread_t)main_thread, NULL) == 0);
	usleep(200 * 1000);
	puts("last thread");
	return NULL;
}

int main(void)
{
	atexit(exits);
	pthread_t thread;
	pthread_create(&thread, NULL, go_on, (void *)pthread_self());
	dispatch_sync(dispatch_queue_create("main", NULL), ^{ puts("main"); });
	pthread_exit(NULL);
}
