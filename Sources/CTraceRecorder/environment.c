// The variables by which `queuescope record` talks to the recorder:
//
//	QUEUESCOPE_BACKEND      ring: into files; lttng: into LTTng's sessions; auto, or nothing: into files where QUEUESCOPE_TRACE names a directory,
//	                        otherwise into LTTng's sessions where the program has LTTng's library in it already
//	QUEUESCOPE_STATEDUMP    seconds after which LTTng's sessions get the definitions again, 0: only when they start
//	QUEUESCOPE_TRACE        the directory to record into
//	QUEUESCOPE_LIMIT        bytes of the trace after which events are discarded; units as in 2G
//	QUEUESCOPE_MODE         flight: the oldest are overwritten instead, beyond 256 MiB where there is no limit; stream:
//	                        as above
//	QUEUESCOPE_MEMORY       bytes of memory for events that are not in the trace's files yet; the same
//	QUEUESCOPE_PROCESSORS   0: without the processor track
//	QUEUESCOPE_FOLLOW       1: the programs that it starts record too, each into a directory of its own, QUEUESCOPE_TRACE-PID; 0: only the first
//	QUEUESCOPE_TRACE_PID    with it: ten digits, which the first process that records replaces by its number
//	QUEUESCOPE_EXEC         COUNT PID DIRECTORY, from the hooks of exec: process PID recorded COUNT programs before this one, the last one into DIRECTORY
//
// Without QUEUESCOPE_FOLLOW they are taken out of the environment when recording starts: the program and those that it starts see what they would see
// without. Never with setenv, which may move the environment: Swift's runtime finds the program's arguments in front of it.
#define _GNU_SOURCE
#include "environment.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/CTraceRecorder.h"
#include "lttng.h"
#include "session.h"
#include "shared_session.h"

enum { PID_DIGITS = 10 };

static const char *const variables[] = {"QUEUESCOPE_BACKEND", "QUEUESCOPE_STATEDUMP", "QUEUESCOPE_TRACE", "QUEUESCOPE_LIMIT",
	"QUEUESCOPE_MODE", "QUEUESCOPE_MEMORY", "QUEUESCOPE_PROCESSORS", "QUEUESCOPE_FOLLOW", "QUEUESCOPE_TRACE_PID"};

// Where the number of the process stands that records first, NULL when its children are not to be followed.
static char *followed_owner(void)
{
	const char *follow = secure_getenv("QUEUESCOPE_FOLLOW");
	if (follow == NULL || strcmp(follow, "1") != 0) return NULL;
	char *owner = secure_getenv("QUEUESCOPE_TRACE_PID");
	return owner != NULL && strlen(owner) == PID_DIGITS ? owner : NULL;
}

bool qs_environment_follows_children(void)
{
	return followed_owner() != NULL;
}

bool qs_environment_is_ours(const char *variable)
{
	for (size_t index = 0; index < sizeof variables / sizeof variables[0]; index++) {
		size_t length = strlen(variables[index]);
		if (strncmp(variable, variables[index], length) == 0 && variable[length] == '=') return true;
	}
	return false;
}

static void leave_environment(void)
{
	for (size_t index = 0; index < sizeof variables / sizeof variables[0]; index++) unsetenv(variables[index]);
}

static const char *explain(int result)
{
	switch (result) {
	case QS_SESSION_EXISTS: return "it exists and is no empty directory of its own (a file, a link, or something is in it); name a new one";
	case QS_SESSION_NO_MEMORY: return "there is no memory for events: raise RLIMIT_AS or the memory limit of the container";
	case QS_SESSION_NO_THREAD: return "the recorder cannot start its thread: raise the limit of threads (RLIMIT_NPROC, pids.max)";
	case QS_SESSION_PATH_TOO_LONG: return "the path is too long";
	default: return strerror(errno);
	}
}

// The directory for this process, NULL when it is not to be recorded.
static const char *directory_for(pid_t pid, const char *owner, char *buffer, size_t size)
{
	const char *directory = secure_getenv("QUEUESCOPE_TRACE");
	if (directory == NULL || directory[0] == 0 || owner == NULL) return directory;
	unsigned long first = strtoul(owner, NULL, 10);
	if (first == 0) return directory;
	// This process records already: another recorder in it, or the program that it was before it became this one.
	if (first == (unsigned long)pid) return NULL;
	return snprintf(buffer, size, "%s-%d", directory, (int)pid) < (int)size ? buffer : NULL;
}

// The directory of the program that this process was before exec, NULL when it was none that recorded. A child may have inherited the variable from
// a program that records nothing itself.
static const char *former_directory(pid_t pid, unsigned long *count)
{
	const char *value = secure_getenv("QUEUESCOPE_EXEC");
	if (value == NULL) return NULL;
	char *rest;
	*count = strtoul(value, &rest, 10);
	unsigned long recorder = strtoul(rest, &rest, 10);
	return recorder == (unsigned long)pid && rest[0] == ' ' && rest[1] == '/' ? rest + 1 : NULL;
}

// Moves the former program's trace to DIRECTORY-COUNT, or the first number after it that is free. What runs last has the directory that the user named; if that
// cannot be, one with the process's number.
static const char *take_over(const char *directory, unsigned long count, pid_t pid, char *buffer, size_t size)
{
	enum { ATTEMPTS = 1000 };
	bool is_moved = access(directory, F_OK) != 0;
	for (unsigned long number = count; !is_moved && number < count + ATTEMPTS; number++) {
		if (snprintf(buffer, size, "%s-%lu", directory, number) >= (int)size) break;
		if (access(buffer, F_OK) == 0) continue;
		if (rename(directory, buffer) != 0) break;
		is_moved = true;
	}
	if (is_moved) return directory;
	return snprintf(buffer, size, "%s-%d", directory, (int)pid) < (int)size ? buffer : NULL;
}

enum backend { BACKEND_AUTO, BACKEND_RING, BACKEND_LTTNG };

static enum backend wanted_backend(void)
{
	const char *name = secure_getenv("QUEUESCOPE_BACKEND");
	if (name == NULL || name[0] == 0 || strcmp(name, "auto") == 0) return BACKEND_AUTO;
	if (strcmp(name, "ring") == 0) return BACKEND_RING;
	if (strcmp(name, "lttng") == 0) return BACKEND_LTTNG;
	static bool is_told;
	if (!is_told) {
		fprintf(stderr, "queuescope: QUEUESCOPE_BACKEND is %s; it should be auto, ring or lttng. auto is used.\n", name);
	}
	is_told = true;
	return BACKEND_AUTO;
}

// Whether this process records for LTTng, now or as soon as one of its sessions asks for it.
static bool record_for_lttng(enum backend backend, bool has_directory)
{
	if (backend == BACKEND_RING) return false;
	// Which sessions want our events can only be known with LTTng's library in the process, where it starts threads and opens descriptors: a program
	// that closes those aborts. So it is not opened unasked, whatever daemon of somebody else's runs.
	if (backend == BACKEND_AUTO && (has_directory || !qs_lttng_is_loaded())) return false;
	const char *obstacle = qs_lttng_register();
	if (obstacle != NULL && backend == BACKEND_LTTNG) {
		fprintf(stderr, "queuescope: cannot record with LTTng: %s. The program runs on without being recorded.\n", obstacle);
	} else if (backend == BACKEND_LTTNG && !qs_lttng_daemon_is_there()) {
		fprintf(stderr, "queuescope: no LTTng session daemon runs; start one (lttng-sessiond --daemonize) and a session with dispatch "
			"events. The program runs on without being recorded until then.\n");
	}
	if (obstacle != NULL) return backend == BACKEND_LTTNG;
	qs_shared_session_offer_lttng();
	if (qs_lttng_is_wanted()) qs_session_start_for_lttng();
	qs_lttng_watch_start();
	return true;
}

// The bytes that a variable says, 0 when it is not set. False when it says something else.
static bool read_bytes(const char *name, uint64_t *bytes)
{
	const char *text = secure_getenv(name);
	*bytes = 0;
	if (text == NULL || text[0] == 0) return true;
	char *end = NULL;
	errno = 0;
	unsigned long long number = strtoull(text, &end, 10);
	static const char units[] = "kKmMgGtT";
	const char *unit = *end != 0 ? strchr(units, *end) : NULL;
	unsigned shift = unit != NULL ? 10 * (unsigned)((unit - units) / 2 + 1) : 0;
	const char *rest = unit != NULL ? end + 1 : end;
	bool is_end = rest[0] == 0 || strcmp(rest, "B") == 0 || (unit != NULL && strcmp(rest, "iB") == 0);
	bool is_whole = text[0] >= '0' && text[0] <= '9' && is_end;
	if (is_whole && errno == 0 && number <= UINT64_MAX >> shift) {
		*bytes = number << shift;
		return true;
	}
	// Both the recorder and the preload object ask.
	static bool is_told;
	if (!is_told) {
		fprintf(stderr, "queuescope: %s is %s; it should be a number of bytes, as 1048576, 512M or 2G. "
			"The program runs on without being recorded.\n", name, text);
	}
	is_told = true;
	return false;
}

static bool is_flight_recorder(void)
{
	const char *mode = secure_getenv("QUEUESCOPE_MODE");
	if (mode == NULL || mode[0] == 0 || strcmp(mode, "stream") == 0) return false;
	if (strcmp(mode, "flight") == 0) return true;
	static bool is_told;
	if (!is_told) {
		fprintf(stderr, "queuescope: QUEUESCOPE_MODE is %s; it should be stream or flight. stream is used.\n", mode);
	}
	is_told = true;
	return false;
}

bool qs_session_start_from_environment(void)
{
	int saved_errno = errno;
	pid_t pid = getpid();
	unsigned long count = 0;
	const char *former = former_directory(pid, &count);
	// For this process only; the text stays where it is.
	unsetenv("QUEUESCOPE_EXEC");
	const char *trace = secure_getenv("QUEUESCOPE_TRACE");
	if (record_for_lttng(wanted_backend(), trace != NULL && trace[0] != 0)) {
		// Without `queuescope record`, LTTng's sessions have every process that the user's environment reaches.
		if (secure_getenv("QUEUESCOPE_FOLLOW") != NULL && followed_owner() == NULL) leave_environment();
		errno = saved_errno;
		return qs_is_recording();
	}
	static char buffer[PATH_MAX]; // not on what may be a small stack
	char *owner = followed_owner();
	const char *directory = former != NULL ? take_over(former, count, pid, buffer, sizeof buffer)
		: directory_for(pid, owner, buffer, sizeof buffer);
	if (directory == NULL || directory[0] == 0) return false;
	struct qs_session_options options = {.is_flight = is_flight_recorder()};
	if (!read_bytes("QUEUESCOPE_LIMIT", &options.limit) || !read_bytes("QUEUESCOPE_MEMORY", &options.memory)) {
		errno = saved_errno;
		return false;
	}
	int system_error = 0;
	int result = qs_session_start(directory, &options, &system_error);
	// `queuescope record` found nothing there: a program that was started before this one records into it.
	bool is_taken = result == QS_SESSION_EXISTS && secure_getenv("QUEUESCOPE_FOLLOW") != NULL;
	if (is_taken && owner != NULL && directory != buffer
		&& snprintf(buffer, sizeof buffer, "%s-%d", directory, (int)pid) < (int)sizeof buffer) {
		directory = buffer;
		is_taken = false;
		result = qs_session_start(directory, &options, &system_error);
	}
	// The preload object has started one before the recorder's constructor comes here.
	bool is_recorded = result == QS_SESSION_OK || result == QS_SESSION_ACTIVE;
	if (!is_recorded && !is_taken) {
		errno = system_error;
		fprintf(stderr, "queuescope: cannot record into %s: %s. The program runs on without being recorded.\n", directory,
			explain(result));
	}
	if (owner == NULL) {
		leave_environment();
	} else if (strtoul(owner, NULL, 10) == 0) {
		char digits[PID_DIGITS + 1];
		snprintf(digits, sizeof digits, "%0*d", (int)PID_DIGITS, (int)pid);
		memcpy(owner, digits, PID_DIGITS);
	}
	errno = saved_errno;
	return result == QS_SESSION_OK;
}
