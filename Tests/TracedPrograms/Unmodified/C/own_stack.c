// Code on a stack that the program created with makecontext uses Dispatch.
//: items 201
#include "check.h"
#include <dispatch/dispatch.h>
#include <ucontext.h>

static ucontext_t main_context, other_context;
static dispatch_queue_t queue;
static int runs;

static void run(void *context)
{
	(void)context;
	runs++;
}

static void on_other_stack(void)
{
	for (int i = 0; i < 100; i++) {
		dispatch_async_f(queue, NULL, run);
		dispatch_sync_f(queue, NULL, run);
	}
	swapcontext(&other_context, &main_context);
	dispatch_sync(queue, ^{ runs++; });
}

int main(void)
{
	queue = dispatch_queue_create("context", NULL);
	getcontext(&other_context);
	other_context.uc_stack.ss_size = 64 * 1024;
	other_context.uc_stack.ss_sp = malloc(other_context.uc_stack.ss_size);
	other_context.uc_link = &main_context;
	makecontext(&other_context, on_other_stack, 0);
	swapcontext(&main_context, &other_context);
	printf("%d runs\n", runs);
	swapcontext(&main_context, &other_context);
	printf("%d runs\n", runs);
	return 0;
}
