// Children end their only thread by pthread_exit: one child of fork, and one of the system call, without fork handlers.
//: items 2
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_child(pid_t child)
{
	CHECK(child >= 0);
	if (child == 0) {
		// The recorder must not wait for threads that the child does not have, and must not block the child's signals.
		alarm(8);
		pthread_exit(NULL);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("fork", NULL);

	dispatch_sync(queue, ^{ });
	check_child((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
	// By now the recorder has copied all data. The children must not write any.
	usleep(1500 * 1000);
	check_child(fork());
	dispatch_sync(queue, ^{ puts("parent"); });
	return 0;
}
