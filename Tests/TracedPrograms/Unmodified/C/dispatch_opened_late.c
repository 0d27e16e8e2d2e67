// A program that is not linked with libdispatch opens it at run time, by name or because it is loaded already.
//: without libdispatch
//: link -ldl
#include "check.h"
#include <dlfcn.h>
#include <stdint.h>

static int runs;

static void run(void *context)
{
	CHECK(context == &runs);
	runs++;
}

int main(void)
{
	void *library = dlopen("libdispatch.so", RTLD_NOW);
	CHECK(library != NULL);
	void *(*create)(const char *, void *) = dlsym(library, "dispatch_queue_create");
	void (*async_f)(void *, void *, void (*)(void *)) = dlsym(library, "dispatch_async_f");
	void (*sync_f)(void *, void *, void (*)(void *)) = dlsym(library, "dispatch_sync_f");
	void (*release)(void *) = dlsym(library, "dispatch_release");
	CHECK(create && async_f && sync_f && release);

	void *queue = create("late", NULL);
	for (int i = 0; i < 100; i++)
		async_f(queue, &runs, run);
	sync_f(queue, &runs, run);
	release(queue);
	CHECK(dlsym(library, "dispatch_nonexistent") == NULL);
	CHECK(dlerror() != NULL);
	printf("%d runs\n", runs);
	return 0;
}
