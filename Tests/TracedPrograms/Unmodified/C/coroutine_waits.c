// A coroutine waits for a mutex. Its chain of frame pointers starts at the end of its stack, next to a guard page and
// a thread's own stack.
//: items 1
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_waiting;

static void lock(void)
{
	is_waiting = 1;
	pthread_mutex_lock(&mutex);
}

#if defined(__x86_64__)

#include "switch_stack.h"

enum { COROUTINE = 64 * 1024, GUARD = 4096, THREAD = 128 * 1024 };

static void run(void)
{
	lock();
	switch_stack(&coroutine_stack, &caller_stack);
	abort();
}

__attribute__((naked, noinline)) static void begin(void)
{
	__asm__("movq %rsp, %rbp; callq *%r12; ud2");
}

static void *run_on_thread(void *end)
{
	uintptr_t *top = end;
	*--top = (uintptr_t)begin;
	*--top = 0;
	*--top = 0;
	*--top = (uintptr_t)run;
	for (int count = 0; count < 3; count++) *--top = 0;
	coroutine_stack = top;
	switch_stack(&caller_stack, &coroutine_stack);
	return NULL;
}

static void start(pthread_t *thread)
{
	const int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *memory = mmap(NULL, COROUTINE + GUARD + THREAD, access, flags, -1, 0);
	CHECK(memory != MAP_FAILED);
	CHECK(mprotect(memory + COROUTINE, GUARD, PROT_NONE) == 0);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	CHECK(pthread_attr_setstack(&attributes, memory + COROUTINE + GUARD, THREAD) == 0);
	CHECK(pthread_create(thread, &attributes, run_on_thread, memory + COROUTINE) == 0);
}

#else

static void *run_on_thread(void *context)
{
	lock();
	return context;
}

static void start(pthread_t *thread)
{
	CHECK(pthread_create(thread, NULL, run_on_thread, NULL) == 0);
}

#endif

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("coroutine", NULL);
	dispatch_sync(queue, ^{ });
	pthread_mutex_lock(&mutex);
	pthread_t thread;
	start(&thread);
	while (!is_waiting) usleep(1000);
	usleep(100 * 1000);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	dispatch_release(queue);
	return 0;
}
