// A child that the system call created (so that no fork handlers ran) calls exit at once.
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("fork", NULL);
	__block int runs = 0;

	dispatch_sync(queue, ^{ runs++; });
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	CHECK(child >= 0);
	if (child == 0) {
		// exit must not wait for a thread that the child does not have.
		alarm(8);
		exit(runs);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	dispatch_sync(queue, ^{ runs++; });
	printf("%d runs\n", runs);
	return 0;
}
