#define _GNU_SOURCE
#include "exec_environment.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hooks.h"
#ifdef QS_FRONT_END_PRELOAD
#include "loaded_symbols.h"
#endif

enum {
	VARIABLES = 16,
	TEXT_BYTES = 2 * PATH_MAX,
	EXEC_BYTES = PATH_MAX + 64,  // "QUEUESCOPE_EXEC=", two numbers and a path
};

static const char exec_name[] = "QUEUESCOPE_EXEC=";

// The recorder's variables, and the number of programs that this process ran before.
static struct {
	char *variables[VARIABLES];
	size_t count;
	size_t used;
	char text[TEXT_BYTES];
	unsigned long programs;
	const char *own_path;
} noted;

// Length of a variable's name, including the equals sign.
static size_t name_length(const char *variable)
{
	const char *sign = strchr(variable, '=');
	return sign != NULL ? (size_t)(sign - variable) + 1 : strlen(variable) + 1;
}

static bool has_name(const char *variable, const char *name, size_t length)
{
	return strncmp(variable, name, length) == 0;
}

void qs_exec_environment_note(void)
{
#ifdef QS_FRONT_END_PRELOAD
	noted.own_path = qs_own_path();
#endif
	for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
		if (has_name(*variable, exec_name, sizeof exec_name - 1)) {
			noted.programs = strtoul(*variable + sizeof exec_name - 1, NULL, 10);
			continue;
		}
		if (!qs_environment_is_ours(*variable)) continue;
		size_t size = strlen(*variable) + 1;
		if (noted.count == VARIABLES || size > TEXT_BYTES - noted.used) continue;
		noted.variables[noted.count++] = memcpy(&noted.text[noted.used], *variable, size);
		noted.used += size;
	}
}

static bool is_given(char *const *given, const char *variable)
{
	size_t length = name_length(variable);
	for (; given != NULL && *given != NULL; given++) {
		if (has_name(*given, variable, length)) return true;
	}
	return false;
}

#ifdef QS_FRONT_END_PRELOAD

static const char preload_name[] = "LD_PRELOAD=";

static const char *given_preload(char *const *given)
{
	const size_t length = sizeof preload_name - 1;
	for (; given != NULL && *given != NULL; given++) {
		if (has_name(*given, preload_name, length)) return *given + length;
	}
	return "";
}

static bool lists(const char *list, const char *object)
{
	static const char separators[] = ": ";
	size_t wanted = strlen(object);
	while (*list != 0) {
		size_t length = strcspn(list, separators);
		if (length == wanted && strncmp(list, object, length) == 0) return true;
		list += length;
		list += strspn(list, separators);
	}
	return false;
}

// Writes the LD_PRELOAD to pass on and returns the position after it. Adds this object as the first entry if missing.
static char *write_preload(char *text, const char *present)
{
	text = stpcpy(text, preload_name);
	if (!lists(present, noted.own_path)) {
		text = stpcpy(text, noted.own_path);
		if (present[0] != 0) *text++ = ':';
	}
	return stpcpy(text, present) + 1;
}

static size_t preload_bytes(const char *present)
{
	return sizeof preload_name + strlen(noted.own_path) + 1 + strlen(present);
}

#endif

// Async-signal-safe replacement for snprintf.
static char *write_number(char *text, unsigned long number)
{
	enum { DIGITS = 20 };
	char digits[DIGITS];
	size_t count = 0;
	do digits[count++] = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	while (count > 0) *text++ = digits[--count];
	*text = 0;
	return text;
}

// False in a forked child, which has a copy of the parent's memory.
static bool records_here(void)
{
	return qs_is_recording() && !qs_identity.is_joined && noted.count != 0 && qs_identity.pid == (uint32_t)getpid();
}

bool qs_exec_environment_make(struct qs_exec_environment *environment, char *const *given)
{
	if (!records_here()) return false;
	int saved_errno = errno;
	size_t count = 0;
	while (given != NULL && given[count] != NULL) count++;
	const size_t own_variables = 3; // LD_PRELOAD, QUEUESCOPE_EXEC and the end
	size_t pointers = (count + noted.count + own_variables) * sizeof(char *);
	environment->bytes = pointers + EXEC_BYTES;
#ifdef QS_FRONT_END_PRELOAD
	const char *preloaded = given_preload(given);
	environment->bytes += preload_bytes(preloaded);
#endif
	void *memory = mmap(NULL, environment->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	errno = saved_errno;
	if (memory == MAP_FAILED) return false;
	environment->variables = memory;
	char **next = environment->variables;
	char *text = (char *)memory + pointers;
	for (size_t index = 0; index < count; index++) {
		if (has_name(given[index], exec_name, sizeof exec_name - 1)) continue;
#ifdef QS_FRONT_END_PRELOAD
		if (has_name(given[index], preload_name, sizeof preload_name - 1)) continue;
#endif
		*next++ = given[index];
	}
	for (size_t index = 0; index < noted.count; index++) {
		if (!is_given(given, noted.variables[index])) *next++ = noted.variables[index];
	}
#ifdef QS_FRONT_END_PRELOAD
	*next++ = text;
	text = write_preload(text, preloaded);
#endif
	*next++ = text;
	*next = NULL;
	text = write_number(stpcpy(text, exec_name), noted.programs + 1);
	text = write_number(stpcpy(text, " "), qs_identity.pid);
	stpcpy(stpcpy(text, " "), qs_session_directory());
	return true;
}

void qs_exec_environment_free(struct qs_exec_environment *environment)
{
	int saved_errno = errno;
	munmap(environment->variables, environment->bytes);
	errno = saved_errno;
}
