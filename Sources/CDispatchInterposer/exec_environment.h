// The environment for the program that takes this one's place by exec. The recorder takes its variables out when it
// starts, so that the program does not see them; what runs next in this process is to be recorded as well, and gets
// them back, with
//
//	QUEUESCOPE_EXEC    COUNT PID DIRECTORY: how many programs this process has been, which process,
//	                   and where the last one's trace is
#ifndef QS_EXEC_ENVIRONMENT_H
#define QS_EXEC_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

struct qs_exec_environment {
	char **variables;  // ends with NULL
	size_t bytes;      // of the mapping that has it
};

// Copies the recorder's variables before it takes them out of the environment. Call once, before the session starts.
void qs_exec_environment_note(void);

// Makes the environment to pass on in place of the given one. False when that is to be passed on as it is: this process
// does not record, it is a child of the one that does, or there is no memory. Context: any, a child of vfork too.
// Allocates: a mapping.
bool qs_exec_environment_make(struct qs_exec_environment *environment, char *const *given);

// For an exec that failed. Leaves errno as it is.
void qs_exec_environment_free(struct qs_exec_environment *environment);

#endif
