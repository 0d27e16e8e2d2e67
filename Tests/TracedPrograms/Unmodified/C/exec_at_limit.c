// A program that executes itself with the largest number of arguments that the system allows and no environment.
//: items 1
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF "/proc/self/exe"

enum { MOST = 200000 };

static char *arguments[MOST + 1];
static char *no_environment[] = { NULL };

static int exec_with(int count)
{
	arguments[count] = NULL;
	int result = execve(SELF, arguments, no_environment);
	arguments[count] = "x";
	return result;
}

/* Whether the system accepts this number of arguments. Tested in a child, which exec replaces. */
static int are_taken(int count)
{
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		exec_with(count);
		_exit(1);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
	return WEXITSTATUS(status) == 0;
}

int main(int count, char **given)
{
	(void)given;
	if (count > 2) {
		printf("another program\n");
		return 0;
	}
	// The system allows a quarter of the stack limit.
	struct rlimit stack = { 4 << 20, 4 << 20 };
	CHECK(setrlimit(RLIMIT_STACK, &stack) == 0);
	dispatch_sync(dispatch_queue_create("limit", NULL), ^{ });
	for (int i = 0; i < MOST; i++)
		arguments[i] = "x";

	int taken = 3, refused = MOST;
	while (refused - taken > 1) {
		int middle = (taken + refused) / 2;
		if (are_taken(middle))
			taken = middle;
		else
			refused = middle;
	}
	CHECK(exec_with(refused) == -1 && errno == E2BIG);
	exec_with(taken);
	printf("execve: %s\n", strerror(errno));
	return 1;
}
