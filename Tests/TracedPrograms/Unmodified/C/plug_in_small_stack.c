// The first user of a library that loads libdispatch is a thread with the smallest stack that the system allows.
//: without libdispatch
//: plug-in
//: link -ldl
#include "check.h"

#ifdef PLUG_IN

#include <dispatch/dispatch.h>

static int runs;

static void run(void *context)
{
	(void)context;
	runs++;
}

int plug_in_run(int count)
{
	dispatch_queue_t queue = dispatch_queue_create("plug-in", NULL);
	for (int i = 0; i < count; i++)
		dispatch_async_f(queue, NULL, run);
	dispatch_sync_f(queue, NULL, run);
	dispatch_release(queue);
	return runs;
}

#else

#include "open_plug_in.h"
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

static int (*plug_in_run)(int);
static int runs;

static void *run_plug_in(void *argument)
{
	runs = plug_in_run(10);
	return argument;
}

int main(void)
{
	void *library = open_plug_in();
	plug_in_run = (int (*)(int))dlsym(library, "plug_in_run");
	CHECK(plug_in_run != NULL);

	size_t smallest = (size_t)sysconf(_SC_THREAD_STACK_MIN);
	if (smallest < PTHREAD_STACK_MIN)
		smallest = PTHREAD_STACK_MIN;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	CHECK(pthread_attr_setstacksize(&attributes, smallest) == 0);
	pthread_t thread;
	CHECK(pthread_create(&thread, &attributes, run_plug_in, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	printf("%d runs\n", runs);
	return 0;
}

#endif
