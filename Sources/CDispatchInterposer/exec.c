// exec replaces the program in this process. The new program is recorded next. Each function of the family is hooked,
// because inside libc they call each other without the PLT.
//
// A hook changes only the environment that is passed on, and only when this process records. When the call fails, which
// is common along PATH, the previous state is restored and recording continues.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exec_environment.h"
#include "hooks.h"
#include "raw_system_call.h"

// Calls `changed` with `passed_on.variables` in place of the given environment, or `unchanged`. Also calls `unchanged`
// when the changed environment is too large for the system.
#define EXEC(given, unchanged, changed) \
	struct qs_exec_environment passed_on; \
	if (!qs_exec_environment_make(&passed_on, given)) return unchanged; \
	qs_session_before_exec(); \
	int result = changed; \
	qs_exec_environment_free(&passed_on); \
	return result == -1 && errno == E2BIG ? unchanged : result;

QS_LIBC_HOOK(int, execve, (const char *path, char *const *arguments, char *const *environment))
{
	EXEC(environment, libc_original(execve)(path, arguments, environment),
		libc_original(execve)(path, arguments, passed_on.variables))
}

QS_LIBC_HOOK(int, execv, (const char *path, char *const *arguments))
{
	EXEC(environ, libc_original(execv)(path, arguments), libc_original(execve)(path, arguments, passed_on.variables))
}

QS_LIBC_HOOK(int, execvp, (const char *file, char *const *arguments))
{
	EXEC(environ, libc_original(execvp)(file, arguments), libc_original(execvpe)(file, arguments, passed_on.variables))
}

QS_LIBC_HOOK(int, execvpe, (const char *file, char *const *arguments, char *const *environment))
{
	EXEC(environment, libc_original(execvpe)(file, arguments, environment),
		libc_original(execvpe)(file, arguments, passed_on.variables))
}

QS_LIBC_HOOK(int, fexecve, (int file, char *const *arguments, char *const *environment))
{
	EXEC(environment, libc_original(fexecve)(file, arguments, environment),
		libc_original(fexecve)(file, arguments, passed_on.variables))
}

// Makes the system call directly before glibc 2.34, which has no function for it.
static int call_execveat(int directory, const char *path, char *const *arguments, char *const *environment, int flags)
{
	int (*call)(int, const char *, char *const *, char *const *, int) = libc_original(execveat);
	if (call != NULL) return call(directory, path, arguments, environment, flags);
#ifdef QS_HAS_RAW_SYSTEM_CALL
	return (int)qs_system_call(SYS_execveat, directory, (long)path, (long)arguments, (long)environment, flags, 0);
#else
	errno = ENOSYS;
	return -1;
#endif
}

QS_LIBC_HOOK(int, execveat,
	(int directory, const char *path, char *const *arguments, char *const *environment, int flags))
{
	EXEC(environment, call_execveat(directory, path, arguments, environment, flags),
		call_execveat(directory, path, arguments, passed_on.variables, flags))
}

// Copies a NULL-terminated list of arguments to an array on the stack, as libc does. Afterwards `list` points past the
// NULL.
#define GATHER(arguments, first, list) \
	size_t count = 1; \
	va_start(list, first); \
	while (va_arg(list, const char *) != NULL) count++; \
	va_end(list); \
	char *arguments[count + 1]; \
	arguments[0] = (char *)first; \
	va_start(list, first); \
	for (size_t index = 1; index <= count; index++) arguments[index] = va_arg(list, char *);

QS_LIBC_HOOK(int, execl, (const char *path, const char *first, ...))
{
	va_list list;
	GATHER(arguments, first, list)
	va_end(list);
	EXEC(environ, libc_original(execv)(path, arguments), libc_original(execve)(path, arguments, passed_on.variables))
}

QS_LIBC_HOOK(int, execlp, (const char *file, const char *first, ...))
{
	va_list list;
	GATHER(arguments, first, list)
	va_end(list);
	EXEC(environ, libc_original(execvp)(file, arguments), libc_original(execvpe)(file, arguments, passed_on.variables))
}

QS_LIBC_HOOK(int, execle, (const char *path, const char *first, ...))
{
	va_list list;
	GATHER(arguments, first, list)
	char *const *environment = va_arg(list, char *const *);
	va_end(list);
	EXEC(environment, libc_original(execve)(path, arguments, environment),
		libc_original(execve)(path, arguments, passed_on.variables))
}
