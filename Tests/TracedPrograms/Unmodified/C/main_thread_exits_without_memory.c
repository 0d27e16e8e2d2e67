// The main thread leaves by pthread_exit, and there is no memory for another thread; the program ends with its last one.
//: ends 0
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

static void exits(void)
{
	puts("exit handler");
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
	dispatch_sync(dispatch_queue_create("main", NULL), ^{ puts("main"); });
	pthread_t thread;
	pthread_create(&thread, NULL, go_on, (void *)pthread_self());
	struct rlimit limit = {1, 1};
	setrlimit(RLIMIT_AS, &limit);
	pthread_exit(NULL);
}
