// Starts programs by fork, vfork, posix_spawn, and exec in the child, while other threads use Dispatch.
// usage: processes fork|vfork|spawn|exec COUNT
#define _GNU_SOURCE
#include <dispatch/dispatch.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile bool is_over;

static pid_t start(const char *way)
{
	char *arguments[] = {"true", NULL};
	pid_t child = -1;
	if (strcmp(way, "spawn") == 0) {
		if (posix_spawnp(&child, "true", NULL, NULL, arguments, environ) != 0) return -1;
	} else if (strcmp(way, "vfork") == 0) {
		child = vfork();
		if (child == 0) {
			execvp("true", arguments);
			_exit(1);
		}
	} else {
		child = fork();
		if (child == 0 && strcmp(way, "exec") == 0) execvp("true", arguments);
		if (child == 0) _exit(strcmp(way, "exec") == 0);
	}
	return child;
}

int main(int argc, char **argv)
{
	if (argc < 3) return 64;
	// exec replaces this process once before the test.
	if (strcmp(argv[1], "exec") == 0 && argc == 3) {
		dispatch_sync(dispatch_queue_create("torture.before", NULL), ^{});
		execl("/proc/self/exe", argv[0], argv[1], argv[2], "again", NULL);
		return 1;
	}
	dispatch_group_t group = dispatch_group_create();
	for (int thread = 0; thread < 2; thread++) {
		dispatch_queue_t queue = dispatch_queue_create("torture.busy", NULL);
		dispatch_group_async(group, dispatch_get_global_queue(0, 0), ^{
			while (!is_over) dispatch_sync(queue, ^{ usleep(10); });
		});
	}
	int ended = 0;
	for (int index = 0; index < atoi(argv[2]); index++) {
		pid_t child = start(argv[1]);
		int status = -1;
		if (child > 0 && waitpid(child, &status, 0) == child && status == 0) ended++;
	}
	is_over = true;
	dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
	printf("%d ended well\n", ended);
	return 0;
}
