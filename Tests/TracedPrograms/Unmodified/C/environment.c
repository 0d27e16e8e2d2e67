// The program and its child processes see the environment that the program was given.
#include "check.h"
#include <dispatch/dispatch.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static int is_foreign(const char *variable)
{
	return strncmp(variable, "LD_", 3) == 0 || strncmp(variable, "QUEUESCOPE", 10) == 0;
}

int main(int count, char **arguments, char **environment)
{
	(void)count;
	(void)arguments;
	int variables = 0, foreign = 0;
	for (char **variable = environ; *variable; variable++) {
		variables++;
		foreign += is_foreign(*variable);
	}
	for (char **variable = environment; *variable; variable++)
		foreign += is_foreign(*variable);
	CHECK(getenv("LD_PRELOAD") == NULL);
	dispatch_sync(dispatch_queue_create("environment", NULL), ^{
		CHECK(getenv("QUEUESCOPE_TRACE") == NULL);
		setenv("OWN", "value", 1);
	});
	CHECK(strcmp(getenv("OWN"), "value") == 0);
	fflush(stdout);
	int status = system("env | grep -E '^(LD_|QUEUESCOPE|OWN=)' | sort");
	printf("%d, %d variables, %d of a loader or recorder\n", WEXITSTATUS(status), variables, foreign);
	return 0;
}
