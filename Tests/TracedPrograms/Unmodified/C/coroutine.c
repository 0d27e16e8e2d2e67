// Coroutines whose stacks end with a number that is not a return address, as coroutine libraries create them: one on
// the heap, one near the main thread's control block, and one directly below a thread's own stack.
//: items 6
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

static int ran;

static void count(void *context)
{
	(void)context;
	ran++;
}

static void use_dispatch(void)
{
	dispatch_queue_t queue = dispatch_queue_create("coroutine", NULL);
	dispatch_sync_f(queue, NULL, count);
	dispatch_group_t group = dispatch_group_create();
	dispatch_suspend(queue);
	dispatch_group_async_f(group, queue, NULL, count);
	dispatch_resume(queue);
	dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
	dispatch_release(group);
	dispatch_release(queue);
}

#if defined(__x86_64__)

#include "switch_stack.h"

enum { SIZE = 256 * 1024 };

static void run(void)
{
	use_dispatch();
	switch_stack(&coroutine_stack, &caller_stack);
	abort();
}

static void run_on(char *memory)
{
	enum { REGISTERS = 6 };
	uintptr_t *top = (uintptr_t *)(memory + SIZE - 256);
	*--top = 0xdeaddeaddeaddead;
	*--top = (uintptr_t)run;
	for (int count = 0; count < REGISTERS; count++) *--top = 0;
	coroutine_stack = top;
	switch_stack(&caller_stack, &coroutine_stack);
}

static void *run_on_thread(void *memory)
{
	run_on(memory);
	return NULL;
}

static void *map_stacks(void *wanted)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (wanted == NULL ? 0 : MAP_FIXED_NOREPLACE);
	return mmap(wanted, 2 * SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
}

int main(void)
{
	run_on(aligned_alloc(4096, SIZE));

	char *near = MAP_FAILED;
	for (char *end = (char *)((uintptr_t)pthread_self() & -4096); near == MAP_FAILED; end -= SIZE) {
		near = map_stacks(end - 2 * SIZE);
	}
	run_on(near);

	char *stacks = map_stacks(NULL);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stacks + SIZE, SIZE);
	pthread_t thread;
	CHECK(pthread_create(&thread, &attributes, run_on_thread, stacks) == 0);
	pthread_join(thread, NULL);
	CHECK(ran == 6);
	return 0;
}

#else

int main(void)
{
	for (int count = 0; count < 3; count++) use_dispatch();
	CHECK(ran == 6);
	return 0;
}

#endif
