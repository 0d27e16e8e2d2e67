// A program that becomes a daemon: it forks before it uses Dispatch, and all work runs in the child.
//: ends 5
#include "check.h"
#include <dispatch/dispatch.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		setsid();
		dispatch_queue_t queue = dispatch_queue_create("daemon", NULL);
		__block int runs = 0;
		for (int i = 0; i < 100; i++)
			dispatch_async(queue, ^{ runs++; });
		dispatch_sync(queue, ^{ });
		dispatch_apply(10, NULL, ^(size_t i) { (void)i; });
		printf("%d runs in the child\n", runs);
		exit(5);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}
