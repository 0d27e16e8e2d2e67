// The environment that is passed to a program by exec. The recorder removes its variables from the environment when it
// starts, so that the program does not see them. The next program in this process is recorded as well, so exec passes
// the variables again, together with
//
//	QUEUESCOPE_EXEC    COUNT PID DIRECTORY: the number of programs that this process has run, its pid,
//	                   and the directory of the last program's trace
#ifndef QS_EXEC_ENVIRONMENT_H
#define QS_EXEC_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

struct qs_exec_environment {
	char **variables;  // ends with NULL
	size_t bytes;      // size of the mapping that contains the variables
};

// Copies the recorder's variables before they are removed from the environment. Call once, before the session starts.
void qs_exec_environment_note(void);

// Makes the environment to pass on in place of the given one. Returns false when the given environment must be passed
// on unchanged: this process does not record, it is a child of the recorded process, or there is no memory. Context:
// any, including a child of vfork. Allocates: a mapping.
bool qs_exec_environment_make(struct qs_exec_environment *environment, char *const *given);

// Frees the environment after an exec that failed. Preserves errno.
void qs_exec_environment_free(struct qs_exec_environment *environment);

#endif
