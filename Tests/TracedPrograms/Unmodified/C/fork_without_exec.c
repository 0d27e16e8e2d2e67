// A program that has used Dispatch forks, also inside an item. The child ends by itself, and the parent continues.
#include "check.h"
#include <dispatch/dispatch.h>
#include <sys/wait.h>
#include <unistd.h>

static void fork_and_wait(void)
{
	fflush(stdout);
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		if (write(STDOUT_FILENO, "child\n", 6) != 6)
			_exit(1);
		_exit(7);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	puts("parent");
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("fork", NULL);
	__block int runs = 0;

	for (int i = 0; i < 3; i++) {
		dispatch_async(queue, ^{ runs++; });
		dispatch_sync(queue, ^{ fork_and_wait(); });
		fork_and_wait();
		dispatch_async(queue, ^{ fork_and_wait(); });
		dispatch_sync(queue, ^{ runs++; });
	}
	printf("%d runs\n", runs);
	return 0;
}
