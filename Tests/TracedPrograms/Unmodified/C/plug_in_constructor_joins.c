// A library loads libdispatch, and its constructor joins a thread that uses it. The loader's lock is held until that
// thread ends.
//: without libdispatch
//: plug-in
//: link -ldl
#include "check.h"
#include <pthread.h>

#ifdef PLUG_IN

#include <dispatch/dispatch.h>

static int runs;

static void run(void *context)
{
	(void)context;
	runs++;
}

static void *use_dispatch(void *argument)
{
	dispatch_queue_t queue = dispatch_queue_create("plug-in.thread", NULL);
	dispatch_async_f(queue, NULL, run);
	dispatch_sync_f(queue, NULL, run);
	dispatch_release(queue);
	return argument;
}

__attribute__((constructor)) static void constructed(void)
{
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, use_dispatch, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
}

int plug_in_run(int count)
{
	dispatch_queue_t queue = dispatch_queue_create("plug-in.later", NULL);
	for (int i = 0; i < count; i++)
		dispatch_async_f(queue, NULL, run);
	dispatch_sync_f(queue, NULL, run);
	dispatch_release(queue);
	return runs;
}

#else

#include "open_plug_in.h"

int main(void)
{
	void *library = open_plug_in();
	int (*run)(int) = (int (*)(int))dlsym(library, "plug_in_run");
	CHECK(run != NULL);
	printf("%d runs\n", run(10));
	return 0;
}

#endif
