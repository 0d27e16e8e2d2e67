// Children end their only thread by pthread_exit: one of fork, and one of the system call, for which no handlers run.
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
		// Nobody may wait for threads that the child does not have, nor keep its signals from it.
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
	// Until the recorder has copied what there is: by a child, nothing.
	usleep(1500 * 1000);
	check_child(fork());
	dispatch_sync(queue, ^{ puts("parent"); });
	return 0;
}
