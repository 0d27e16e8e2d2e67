// A program that uses Dispatch starts programs: posix_spawn, system, popen, vfork with exec, and exec of itself.
#include "check.h"
#include <dispatch/dispatch.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int status_of(pid_t child)
{
	int status;
	CHECK(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void start_all(void)
{
	pid_t child;
	char *arguments[] = { "sh", "-c", "echo spawned; exit 3", NULL };
	CHECK(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
	printf("spawn %d\n", status_of(child));
	fflush(stdout);

	int status = system("echo by system; exit 4");
	printf("system %d\n", WEXITSTATUS(status));
	fflush(stdout);

	char line[64] = "";
	FILE *pipe = popen("echo through a pipe", "r");
	CHECK(pipe && fgets(line, sizeof line, pipe));
	printf("popen %s", line);
	CHECK(pclose(pipe) == 0);

	// Worker threads of libdispatch block signals, and a program that one of them starts inherits the mask.
	child = vfork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "kill -TERM $$", (char *)NULL);
		_exit(127);
	}
	printf("vfork %d\n", status_of(child));
	fflush(stdout);
}

int main(int count, char **arguments)
{
	dispatch_queue_t queue = dispatch_queue_create("exec", NULL);
	__block int runs = 0;

	dispatch_async(queue, ^{ start_all(); });
	dispatch_sync(queue, ^{ runs++; });
	printf("%s has %d runs\n", count > 1 ? arguments[1] : "first", runs);
	fflush(stdout);
	if (count == 1) {
		// Executes its own image: a new program in the same process.
		execl("/proc/self/exe", arguments[0], "second", (char *)NULL);
		return 1;
	}
	return 0;
}
