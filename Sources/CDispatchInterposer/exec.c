// exec: another program takes the place of this one in the same process, and is recorded next. Each function of the
// family is hooked, as they call each other inside libc.
//
// Only the environment that is passed on differs, and only where this process records. When the call fails, which it
// does often (along PATH), everything is as before, and recording goes on.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exec_environment.h"
#include "hooks.h"
#include "raw_system_call.h"

// Calls `changed` with `passed_on.variables` in place of the given environment, or `unchanged`: also where the system
// takes no more than what was given.
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

// The system call itself before glibc 2.34.
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

// Gathers a list of arguments, which ends with NULL, in an array on the stack, as libc does. `list` is behind its end
// afterwards.
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
