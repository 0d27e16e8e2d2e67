// Environment variables by which `queuescope record` configures the recorder:
//
//	QUEUESCOPE_BACKEND      ring: record into files; lttng: record into LTTng's sessions; auto (default): files if
//	                        QUEUESCOPE_TRACE is set, otherwise LTTng if the program has loaded LTTng's library
//	QUEUESCOPE_STATEDUMP    seconds after which LTTng's sessions get the definitions again; 0: only at their start
//	QUEUESCOPE_TRACE        directory of the trace, with the letters of trace_pattern.h
//	QUEUESCOPE_KEEP         number of the newest traces, or their bytes with a unit: older traces of the same pattern
//	                        are removed. `record` adds a blank and the pattern, because its QUEUESCOPE_TRACE has none
//	QUEUESCOPE_LIMIT        size of the trace in bytes after which events are discarded; with units, as in 2G
//	QUEUESCOPE_MODE         flight: overwrite the oldest events at the limit, 256 MiB without one; stream (default)
//	QUEUESCOPE_MEMORY       bytes of memory for events that are not in the files yet; with units. In flight mode
//	                        without QUEUESCOPE_LIMIT the events are overwritten in memory (memory_ring.h)
//	QUEUESCOPE_WINDOW       length of the past that a flight recorder in memory keeps, as 500ms, 60s, 10m or 1h. The
//	                        events are then in memory, also without QUEUESCOPE_MEMORY
//	QUEUESCOPE_PROCESSORS   0: without the processor track
//	QUEUESCOPE_BUDGET       most processor time of the recorder, as a share of the process's: 1%, 0.5%. It samples items
//	                        to stay within it (recording_budget.h). 1/64: one of 64 items is recorded, without a budget
//	QUEUESCOPE_FOLLOW       1: child programs record too, each into a directory QUEUESCOPE_TRACE-PID; 0: they do not
//	QUEUESCOPE_TRACE_PID    with FOLLOW=1: ten digits, which the first recording process replaces by its pid
//	QUEUESCOPE_CONTROL      0: no control socket; 1: also if the recorder is linked; dormant: QUEUESCOPE_TRACE and the
//	                        other variables are the defaults of sessions that `queuescope start` starts
//	QUEUESCOPE_SNAPSHOT_SIGNAL  SIGUSR1, SIGUSR2, SIGHUP or SIGQUIT: the signal copies the trace, see
//	                        session_snapshot.h
//	QUEUESCOPE_SNAPSHOT     directory of these copies, with the letters of trace_pattern.h; default: the directory of
//	                        the trace with -snapshot-%t
//	QUEUESCOPE_EXEC         COUNT PID DIRECTORY, written by the hooks of exec: process PID recorded COUNT programs
//	                        before this one, the last one into DIRECTORY
//
// Without QUEUESCOPE_FOLLOW=1 the variables are removed from the environment when recording starts, so that the program
// and its children have the environment that they would have unrecorded. Never with setenv, which may move the
// environment: Swift's runtime locates the program's arguments in front of it.
#define _GNU_SOURCE
#include "environment.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../Drain/trace_pattern.h"
#include "../Events/item_sampling.h"
#include "../LTTng/lttng.h"
#include "CTraceRecorder.h"
#include "control.h"
#include "control_requests.h"
#include "session.h"
#include "session_definitions.h"
#include "session_snapshot.h"
#include "shared_session.h"

enum { PID_DIGITS = 10 };

static const char *const variables[] = {"QUEUESCOPE_BACKEND", "QUEUESCOPE_STATEDUMP", "QUEUESCOPE_TRACE",
	"QUEUESCOPE_LIMIT", "QUEUESCOPE_KEEP", "QUEUESCOPE_MODE", "QUEUESCOPE_MEMORY", "QUEUESCOPE_WINDOW",
	"QUEUESCOPE_PROCESSORS", "QUEUESCOPE_BUDGET", "QUEUESCOPE_FOLLOW", "QUEUESCOPE_TRACE_PID", "QUEUESCOPE_CONTROL",
	"QUEUESCOPE_SNAPSHOT_SIGNAL", "QUEUESCOPE_SNAPSHOT"};

// Position of the pid of the first recording process, NULL when children are not recorded.
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
	case QS_SESSION_EXISTS:
		return "it exists and is no empty directory of its own (a file, a link, or something is in it); name a new "
			"one, or add %t to the path, which gives each start a directory of its own";
	case QS_SESSION_NO_MEMORY:
		return "there is no memory for events: raise RLIMIT_AS or the memory limit of the container";
	case QS_SESSION_NO_THREAD:
		return "the recorder cannot start its thread: raise the limit of threads (RLIMIT_NPROC, pids.max)";
	case QS_SESSION_PATH_TOO_LONG: return "the path is too long";
	case QS_SESSION_BAD_PATTERN:
		return "it has an unknown letter after a percent sign; use %n, %p, %t, %h, or %% for the sign";
	default: return strerror(errno);
	}
}

static void report_failure(const char *directory, int result)
{
	// Print once: a deferred start and the constructor of a linked recorder read the variables again.
	static bool is_told;
	if (is_told) return;
	is_told = true;
	fprintf(stderr, "queuescope: cannot record into %s: %s. The program runs on without being recorded.\n", directory,
		explain(result));
}

// Appends a process id to a path. Returns false when it is too long.
static bool append_id(char *path, size_t size, pid_t pid)
{
	size_t length = strlen(path);
	return snprintf(path + length, size - length, "-%d", (int)pid) < (int)(size - length);
}

// Directory for this process, NULL when it is not to be recorded.
static const char *directory_for(pid_t pid, const char *owner, char *buffer, size_t size)
{
	const char *pattern = secure_getenv("QUEUESCOPE_TRACE");
	if (pattern == NULL || pattern[0] == 0) return NULL;
	unsigned long first = owner != NULL ? strtoul(owner, NULL, 10) : 0;
	// This process already records: by another recorder, or as the program that it ran before exec.
	if (first == (unsigned long)pid) return NULL;
	int result = qs_trace_pattern_expand(pattern, buffer, size);
	if (result != QS_SESSION_OK) report_failure(pattern, result);
	return result == QS_SESSION_OK && (first == 0 || append_id(buffer, size, pid)) ? buffer : NULL;
}

// Trace directory of the program that this process ran before exec, NULL if that program did not record. The pid check
// ignores a variable that was inherited from a parent that recorded nothing itself.
static const char *former_directory(pid_t pid, unsigned long *count)
{
	const char *value = secure_getenv("QUEUESCOPE_EXEC");
	if (value == NULL) return NULL;
	char *rest;
	*count = strtoul(value, &rest, 10);
	unsigned long recorder = strtoul(rest, &rest, 10);
	return recorder == (unsigned long)pid && rest[0] == ' ' && rest[1] == '/' ? rest + 1 : NULL;
}

// Renames the former program's trace to DIRECTORY-COUNT, or to the next free number. The last program gets the
// directory that the user named. If the rename fails, it gets a directory with the pid in its name.
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
		fprintf(stderr, "queuescope: QUEUESCOPE_BACKEND is %s; it should be auto, ring or lttng. auto is used.\n",
			name);
	}
	is_told = true;
	return BACKEND_AUTO;
}

static const struct qs_lttng_control control = {
	.start = qs_session_start_for_lttng, .stop = qs_session_stop, .statedump = qs_lttng_statedump};

// Whether this process records for LTTng: now, or as soon as an LTTng session enables an event.
static bool record_for_lttng(enum backend backend, bool has_directory)
{
	if (backend == BACKEND_RING) return false;
	// Only LTTng's library can report which sessions want the events, but it starts threads and opens descriptors in
	// the process, and a program that closes those aborts. Therefore `auto` never opens the library, even if a session
	// daemon runs.
	if (backend == BACKEND_AUTO && (has_directory || !qs_lttng_is_loaded())) return false;
	const char *obstacle = qs_lttng_register();
	if (obstacle != NULL && backend == BACKEND_LTTNG) {
		fprintf(stderr, "queuescope: cannot record with LTTng: %s. The program runs on without being recorded.\n",
			obstacle);
	} else if (backend == BACKEND_LTTNG && !qs_lttng_daemon_is_there()) {
		fprintf(stderr, "queuescope: no LTTng session daemon runs; start one (lttng-sessiond --daemonize) and a "
			"session with dispatch events. The program runs on without being recorded until then.\n");
	}
	if (obstacle != NULL) return backend == BACKEND_LTTNG;
	qs_shared_session_offer_lttng();
	if (qs_lttng_is_wanted()) qs_session_start_for_lttng();
	qs_lttng_watch_start(&control);
	return true;
}

// Parses a number with an optional unit. Returns the text after it, NULL when there is none.
static const char *parse_size(const char *text, uint64_t *number, bool *has_unit)
{
	static const char units[] = "kKmMgGtT";
	char *end = NULL;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	const char *unit = *end != 0 ? strchr(units, *end) : NULL;
	unsigned shift = unit != NULL ? 10 * (unsigned)((unit - units) / 2 + 1) : 0;
	const char *rest = unit != NULL ? end + 1 : end;
	if (unit != NULL && strncmp(rest, "iB", 2) == 0) rest += 2;
	else if (*rest == 'B') rest += 1;
	*number = value << shift;
	*has_unit = rest != end;
	bool is_number = text[0] >= '0' && text[0] <= '9' && errno == 0 && value <= UINT64_MAX >> shift;
	return is_number ? rest : NULL;
}

// Parses the byte size in a variable, 0 when it is not set. Returns false for any other text.
static bool read_bytes(const char *name, uint64_t *bytes)
{
	const char *text = secure_getenv(name);
	*bytes = 0;
	if (text == NULL || text[0] == 0) return true;
	bool has_unit;
	const char *rest = parse_size(text, bytes, &has_unit);
	if (rest != NULL && rest[0] == 0) return true;
	// Print once: both the recorder and the preload object read the variables.
	static bool is_told;
	if (!is_told) {
		fprintf(stderr, "queuescope: %s is %s; it should be a number of bytes, as 1048576, 512M or 2G. "
			"The program runs on without being recorded.\n", name, text);
	}
	is_told = true;
	return false;
}

// Parses the length of time in QUEUESCOPE_WINDOW, 0 when it is not set or not valid.
static uint64_t read_window(const struct qs_session_options *options)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{"ms", 1000 * 1000}, {"s", 1000 * 1000 * 1000}, {"m", 60 * 1000000000ull}, {"h", 3600 * 1000000000ull},
	};
	const char *text = secure_getenv("QUEUESCOPE_WINDOW");
	if (text == NULL || text[0] == 0) return 0;
	char *end = NULL;
	errno = 0;
	unsigned long long number = strtoull(text, &end, 10);
	bool is_number = text[0] >= '0' && text[0] <= '9' && errno == 0 && number > 0 && number <= 30 * 24 * 3600 * 1000ull;
	uint64_t length = 0;
	for (size_t index = 0; index < sizeof units / sizeof units[0] && is_number; index++) {
		if (strcmp(end, units[index].name) == 0) length = number * units[index].ns;
	}
	const char *obstacle = length == 0 ? "it should be a length of time, as 500ms, 60s, 10m or 1h"
		: !options->is_flight ? "it is for QUEUESCOPE_MODE=flight"
		: options->limit != 0 ? "it is for a recording in memory, without QUEUESCOPE_LIMIT" : NULL;
	if (obstacle == NULL) return length;
	static bool is_told;
	if (!is_told) {
		fprintf(stderr, "queuescope: QUEUESCOPE_WINDOW is %s; %s. The recording has no window.\n", text, obstacle);
	}
	is_told = true;
	return 0;
}

// Reads which older traces are kept. Returns the pattern that `record` adds to the variable, NULL without one.
static const char *read_kept(struct qs_session_options *options)
{
	const char *text = secure_getenv("QUEUESCOPE_KEEP");
	if (text == NULL || text[0] == 0) return NULL;
	uint64_t number;
	bool is_size;
	const char *rest = parse_size(text, &number, &is_size);
	bool is_valid = rest != NULL && (rest[0] == 0 || rest[0] == ' ') && number > 0 && (is_size || number <= UINT32_MAX);
	if (!is_valid) {
		fprintf(stderr, "queuescope: QUEUESCOPE_KEEP is %s; it should be a number of traces, as 10, or of bytes with a "
			"unit, as 5G. No trace is removed.\n", text);
		return NULL;
	}
	if (is_size) options->kept_bytes = number;
	else options->kept_traces = (uint32_t)number;
	return rest[0] == ' ' ? rest + 1 : NULL;
}

// Parses a percentage with up to four decimals, in millionths. 0: none, or more than the whole.
static uint32_t parse_percentage(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || value > 100) return 0;
	uint64_t ppm = value * 10000;
	uint32_t digit_ppm = 1000;
	if (*end == '.') {
		for (end++; *end >= '0' && *end <= '9' && digit_ppm > 0; end++, digit_ppm /= 10) {
			ppm += (uint64_t)(*end - '0') * digit_ppm;
		}
	}
	return strcmp(end, "%") == 0 && ppm <= 1000 * 1000 ? (uint32_t)ppm : 0;
}

// Reads the budget, or the rate of the items. An invalid value is reported, and there is no budget.
static void read_budget(struct qs_session_options *options)
{
	const char *text = secure_getenv("QUEUESCOPE_BUDGET");
	if (text == NULL || text[0] == 0) return;
	options->budget_ppm = parse_percentage(text);
	if (options->budget_ppm != 0) return;
	if (strncmp(text, "1/", 2) == 0) {
		char *end;
		unsigned long stride = strtoul(text + 2, &end, 10);
		bool is_valid = *end == 0 && stride > 0 && stride <= QS_MOST_ITEM_STRIDE && (stride & (stride - 1)) == 0;
		if (is_valid) options->item_stride = (uint32_t)stride;
		if (is_valid) return;
	}
	static bool is_told;
	if (!is_told) {
		fprintf(stderr, "queuescope: QUEUESCOPE_BUDGET is %s; it should be a share of the processor time, as 1%%, or a "
			"rate of the items, as 1/64 (a power of two up to %d). All items are recorded.\n", text,
			(int)QS_MOST_ITEM_STRIDE);
	}
	is_told = true;
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

// Reads the options of a session. Returns false for an invalid size, which is reported. `*pattern`: the pattern that
// `record` adds to QUEUESCOPE_KEEP, NULL without one.
static bool read_options(struct qs_session_options *options, const char **pattern)
{
	const char *processors = secure_getenv("QUEUESCOPE_PROCESSORS");
	*options = (struct qs_session_options){.is_flight = is_flight_recorder()};
	options->without_processors = processors != NULL && strcmp(processors, "0") == 0;
	if (!read_bytes("QUEUESCOPE_LIMIT", &options->limit)) return false;
	if (!read_bytes("QUEUESCOPE_MEMORY", &options->memory)) return false;
	options->window_ns = read_window(options);
	read_budget(options);
	*pattern = read_kept(options);
	return true;
}

// A process that is not recorded now: keeps the options for sessions that start on request.
static void stay_dormant(const char *trace)
{
	struct qs_session_options options;
	const char *pattern;
	if (read_options(&options, &pattern)) qs_control_set_defaults(trace, &options);
	if (followed_owner() == NULL) leave_environment();
}

static bool start_from_environment(bool is_dormant)
{
	int saved_errno = errno;
	pid_t pid = getpid();
	unsigned long count = 0;
	const char *former = former_directory(pid, &count);
	// Only for this process; a copy of the value's text stays valid.
	unsetenv("QUEUESCOPE_EXEC");
	const char *trace = secure_getenv("QUEUESCOPE_TRACE");
	if (record_for_lttng(wanted_backend(), trace != NULL && trace[0] != 0)) {
		// Without `queuescope record`, the variables stay: LTTng's sessions record every process of the user's
		// environment.
		if (secure_getenv("QUEUESCOPE_FOLLOW") != NULL && followed_owner() == NULL) leave_environment();
		errno = saved_errno;
		return qs_is_recording();
	}
	static char buffer[PATH_MAX]; // static, because the stack may be small
	char *owner = followed_owner();
	const char *directory = former != NULL ? take_over(former, count, pid, buffer, sizeof buffer)
		: is_dormant ? NULL : directory_for(pid, owner, buffer, sizeof buffer);
	if (directory == NULL) {
		if (is_dormant) stay_dormant(trace != NULL && trace[0] != 0 ? trace : NULL);
		errno = saved_errno;
		return false;
	}
	struct qs_session_options options;
	const char *pattern;
	if (!read_options(&options, &pattern)) {
		errno = saved_errno;
		return false;
	}
	// `record` has one directory for one session.
	qs_control_set_defaults(secure_getenv("QUEUESCOPE_FOLLOW") == NULL ? trace : NULL, &options);
	if (pattern == NULL) pattern = former != NULL ? former : trace;
	int system_error = 0;
	int result = qs_session_start_in(directory, pattern, &options, &system_error);
	// `queuescope record` created an empty directory, and a program that started before this one records into it.
	bool is_taken = result == QS_SESSION_EXISTS && secure_getenv("QUEUESCOPE_FOLLOW") != NULL;
	bool has_id = former != NULL ? directory == buffer : owner != NULL && strtoul(owner, NULL, 10) != 0;
	if (directory != buffer) snprintf(buffer, sizeof buffer, "%s", directory);
	if (is_taken && owner != NULL && !has_id && append_id(buffer, sizeof buffer, pid)) {
		directory = buffer;
		is_taken = false;
		result = qs_session_start_in(directory, pattern, &options, &system_error);
	}
	// ACTIVE: the preload object has started a session before this constructor.
	bool is_recorded = result == QS_SESSION_OK || result == QS_SESSION_ACTIVE;
	if (!is_recorded && !is_taken) {
		errno = system_error;
		report_failure(directory, result);
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

bool qs_session_start_from_environment(void)
{
	enum qs_control_wish wish = qs_control_read_wish();
	bool takes_signal = qs_snapshot_signal_install(wish != QS_CONTROL_OFF);
	bool is_started = start_from_environment(wish == QS_CONTROL_DORMANT);
	int saved_errno = errno;
	qs_control_open_as_wished(wish, takes_signal);
	errno = saved_errno;
	return is_started;
}
