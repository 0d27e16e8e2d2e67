// A program executes itself by each function of the exec family, after a failed call of each, with a given environment.
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF "/proc/self/exe"
#define NOBODY "/nonexistent/program"

enum { FORMS = 9 };

extern char **environ;

static int compare(const void *first, const void *second)
{
	return strcmp(*(char *const *)first, *(char *const *)second);
}

static void use_a_queue(int generation)
{
	char label[32];
	__block int runs = 0;

	snprintf(label, sizeof label, "generation %d", generation);
	dispatch_queue_t queue = dispatch_queue_create(label, NULL);
	for (int i = 0; i < 3; i++)
		dispatch_async(queue, ^{ runs++; });
	dispatch_sync(queue, ^{ runs++; });
	CHECK(runs == 4);
}

static void print_environment(int generation)
{
	int count = 0;
	while (environ[count])
		count++;
	// The first generation has the environment of the machine.
	if (generation > 0) {
		qsort(environ, (size_t)count, sizeof *environ, compare);
		for (int i = 0; i < count; i++)
			if (strncmp(environ[i], "PATH=", 5) != 0)
				printf("%d: %s\n", generation, environ[i]);
	}
	CHECK(getenv("LD_PRELOAD") == NULL);
}

static int exec_by(int form, const char *path, char *next, char **arguments, char **environment)
{
	// Functions without an environment parameter pass `environ`.
	environ = environment;
	switch (form) {
	case 0: return execve(path, arguments, environment);
	case 1: return execv(path, arguments);
	case 2: return execvp(path, arguments);
	case 3: return execvpe(path, arguments, environment);
	case 4: return execl(path, "exec_forms", next, (char *)NULL);
	case 5: return execlp(path, "exec_forms", next, (char *)NULL);
	case 6: return execle(path, "exec_forms", next, (char *)NULL, environment);
	case 7: return fexecve(open(path, O_RDONLY | O_CLOEXEC), arguments, environment);
	default: return execveat(AT_FDCWD, path, arguments, environment, 0);
	}
}

int main(int count, char **arguments)
{
	int generation = count > 1 ? atoi(arguments[1]) : 0;
	char next[16], variable[32], path[64];

	use_a_queue(generation);
	print_environment(generation);
	if (generation == FORMS) {
		printf("%d programs\n", generation + 1);
		return 0;
	}
	snprintf(next, sizeof next, "%d", generation + 1);
	snprintf(variable, sizeof variable, "BY=form %d", generation);
	snprintf(path, sizeof path, "PATH=%s", "/usr/bin:/bin");
	char *next_arguments[] = { "exec_forms", next, NULL };
	char *environment[] = { variable, path, NULL };

	// A child that runs another program is not recorded.
	fflush(stdout);
	pid_t child = vfork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "env | grep -E '^(LD_PRELOAD|QUEUESCOPE)'; exit 5", (char *)NULL);
		_exit(1);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5);
	errno = 0;
	CHECK(exec_by(generation, NOBODY, next, next_arguments, environment) == -1);
	CHECK(errno == (generation == 7 ? EINVAL : ENOENT));
	use_a_queue(generation);
	fflush(stdout);
	exec_by(generation, SELF, next, next_arguments, environment);
	printf("%d: %s\n", generation, strerror(errno));
	return 1;
}
