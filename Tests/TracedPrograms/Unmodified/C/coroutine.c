// A coroutine at the end of whose stack lies a number that is no return address, as libraries of coroutines put there.
//: items 2
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdint.h>

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

static void *main_stack, *coroutine_stack;

__attribute__((naked, noinline)) static void switch_stack(__attribute__((unused)) void **from, __attribute__((unused)) void **to)
{
	__asm__("pushq %rbp; pushq %rbx; pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"
		"movq %rsp, (%rdi); movq (%rsi), %rsp\n"
		"popq %r15; popq %r14; popq %r13; popq %r12; popq %rbx; popq %rbp; ret");
}

static void run(void)
{
	use_dispatch();
	switch_stack(&coroutine_stack, &main_stack);
	abort();
}

int main(void)
{
	enum { SIZE = 256 * 1024, REGISTERS = 6 };
	char *memory = aligned_alloc(4096, SIZE);
	uintptr_t *top = (uintptr_t *)(memory + SIZE - 256);
	*--top = 0xdeaddeaddeaddead;
	*--top = (uintptr_t)run;
	for (int count = 0; count < REGISTERS; count++) *--top = 0;
	coroutine_stack = top;
	switch_stack(&main_stack, &coroutine_stack);
	CHECK(ran == 2);
	free(memory);
	return 0;
}

#else

int main(void)
{
	use_dispatch();
	CHECK(ran == 2);
	return 0;
}

#endif
