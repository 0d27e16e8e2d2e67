// Signal mask and dispositions stay unchanged, on all threads and before and after every call.
#include "check.h"
#include <dispatch/dispatch.h>
#include <signal.h>
#include <string.h>

static void print_dispositions(const char *when)
{
	printf("%s:", when);
	for (int number = 1; number < 32; number++) {
		struct sigaction action;
		if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
			printf(" %s", action.sa_handler == SIG_IGN ? "ignored" : "handled");
	}
	sigset_t mask;
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int number = 1; number < 32; number++)
		if (sigismember(&mask, number))
			printf(" blocked %d", number);
	putchar('\n');
}

int main(void)
{
	print_dispositions("start");
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	dispatch_queue_t queue = dispatch_queue_create("mask", NULL);
	dispatch_async(queue, ^{ });
	dispatch_sync(queue, ^{ print_dispositions("sync"); });
	dispatch_apply(4, NULL, ^(size_t i) { (void)i; });
	print_dispositions("end");
	return 0;
}
