#define _GNU_SOURCE
#include "session_snapshot.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../Drain/snapshot.h"
#include "../Drain/trace_directory.h"
#include "../Drain/trace_pattern.h"
#include "../Events/clock.h"
#include "../Events/identity.h"
#include "../Events/recorder.h"
#include "../Gate/thread_guard.h"
#include "CTraceRecorder.h"
#include "control_socket.h"
#include "service.h"
#include "session_control.h"

enum { FLUSH_MS = 5000 };

// MARK: The snapshot

// Doubles percent signs, which a pattern would replace. Returns false when there is no room.
static bool write_literal(char *pattern, size_t size, const char *path)
{
	size_t used = 0;
	for (; *path != 0 && used + 3 < size; path++) {
		if (*path == '%') pattern[used++] = '%';
		pattern[used++] = *path;
	}
	pattern[used] = 0;
	return *path == 0;
}

static int find_directory(const char *pattern, char *directory, size_t size)
{
	char own[PATH_MAX];
	if (pattern == NULL) {
		static const char suffix[] = "-snapshot-%t";
		if (!write_literal(own, sizeof own - sizeof suffix, qs_identity.directory)) return QS_SNAPSHOT_PATH_TOO_LONG;
		strcat(own, suffix);
		pattern = own;
	}
	switch (qs_trace_pattern_expand(pattern, directory, size)) {
	case QS_SESSION_OK: return QS_SNAPSHOT_OK;
	case QS_SESSION_BAD_PATTERN: return QS_SNAPSHOT_BAD_PATTERN;
	default: return QS_SNAPSHOT_PATH_TOO_LONG;
	}
}

// Writes the events so far into the files. Most events of a joined session are in the memory of the other recorder.
static bool flush(void)
{
	if (!qs_service_flush(false, FLUSH_MS)) return false;
	// Without a control socket, the copy lacks events of the last second.
	if (qs_identity.is_joined) qs_control_socket_flush(FLUSH_MS);
	return true;
}

static int take_snapshot(const char *pattern, const char *reason, struct qs_snapshot_result *result)
{
	if (qs_recorder_leave_to_parent() || !qs_is_recording()) return QS_SNAPSHOT_NOT_RECORDING;
	if (qs_identity.lttng != NULL) return QS_SNAPSHOT_LTTNG;
	int error = find_directory(pattern, result->directory, sizeof result->directory);
	if (error != QS_SNAPSHOT_OK) return error;
	uint64_t end_time = qs_clock_now();
	if (!flush()) return QS_SNAPSHOT_TIMEOUT;
	errno = 0;
	error = qs_trace_directory_make(result->directory);
	if (error != QS_SESSION_OK) {
		result->system_error = errno;
		return error == QS_SESSION_EXISTS ? QS_SNAPSHOT_EXISTS : QS_SNAPSHOT_CANNOT_CREATE;
	}
	error = qs_snapshot_copy(qs_identity.directory, result->directory, end_time, reason);
	if (error != QS_SNAPSHOT_OK) {
		result->system_error = errno;
		rmdir(result->directory);
	}
	return error;
}

int qs_session_snapshot(const char *pattern, const char *reason, struct qs_snapshot_result *result)
{
	int saved_errno = errno;
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	result->directory[0] = 0;
	result->system_error = 0;
	bool was_inside = qs_thread_inside;
	qs_thread_inside = true; // the calls of the copy are not recorded
	int error = take_snapshot(pattern, reason, result);
	qs_thread_inside = was_inside;
	pthread_setcancelstate(cancellation, NULL);
	errno = saved_errno;
	return error;
}

bool qs_session_describe(struct qs_session_state *state)
{
	if (qs_recorder_leave_to_parent()) return false;
	int saved_errno = errno;
	bool was_inside = qs_thread_inside;
	qs_thread_inside = true;
	bool has_lock = qs_lock_take_patiently(&qs_session_control.lock);
	bool is_recording = qs_is_recording();
	if (is_recording) {
		bool is_lttng = qs_identity.lttng != NULL;
		*state = (struct qs_session_state){
			.is_lttng = is_lttng,
			.is_flight = !is_lttng && qs_identity.is_flight,
			.started_unix_ns = is_lttng || qs_identity.is_joined ? 0 : qs_identity.started.realtime_ns,
			.discarded = qs_session_discarded(),
		};
		if (!is_lttng) snprintf(state->directory, sizeof state->directory, "%s", qs_identity.directory);
	}
	if (has_lock) qs_lock_give_back(&qs_session_control.lock);
	qs_thread_inside = was_inside;
	errno = saved_errno;
	return is_recording;
}

// MARK: The signal

static struct {
	bool is_wanted; // atomic
	int number;     // 0: no handler
	char name[16];
	char pattern[PATH_MAX]; // "": the default
	int last;       // result of the last snapshot; valid if has_last
	bool has_last;
	struct qs_snapshot_result result;
} on_signal;

static void request_snapshot(int number)
{
	(void)number;
	int saved_errno = errno;
	__atomic_store_n(&on_signal.is_wanted, true, __ATOMIC_RELEASE);
	// Without the wake-up, the control thread sees the request at its next one, after 30 s at the latest.
	if (!qs_thread_is_sandboxed) qs_control_socket_wake();
	errno = saved_errno;
}

static int number_of(const char *name)
{
	if (strncmp(name, "SIG", 3) == 0) name += 3;
	if (strcmp(name, "USR1") == 0) return SIGUSR1;
	if (strcmp(name, "USR2") == 0) return SIGUSR2;
	if (strcmp(name, "HUP") == 0) return SIGHUP;
	if (strcmp(name, "QUIT") == 0) return SIGQUIT;
	return 0;
}

// The reason why the signal can take no snapshot, NULL for none.
static const char *obstacle(int number, bool has_control)
{
	struct sigaction present;
	if (number == 0) return "it should be SIGUSR1, SIGUSR2, SIGHUP or SIGQUIT";
	if (!has_control) return "QUEUESCOPE_CONTROL=0 forbids the thread that makes the copy";
	if (sigaction(number, NULL, &present) != 0) return "the system refuses";
	bool has_handler =
		present.sa_flags & SA_SIGINFO || (present.sa_handler != SIG_DFL && present.sa_handler != SIG_IGN);
	if (has_handler) return "the program has a handler for it; name another signal";
	return present.sa_handler == SIG_IGN ? "the program ignores it; name another signal" : NULL;
}

bool qs_snapshot_signal_install(bool has_control)
{
	if (on_signal.number != 0) return true;
	const char *name = secure_getenv("QUEUESCOPE_SNAPSHOT_SIGNAL");
	if (name == NULL || name[0] == 0) return false;
	int number = number_of(name);
	const char *reason = obstacle(number, has_control);
	if (reason != NULL) {
		// Print once: both the recorder and the preload object read the variables.
		static bool is_told;
		if (!is_told) {
			fprintf(stderr, "queuescope: QUEUESCOPE_SNAPSHOT_SIGNAL is %s, which takes no snapshots: %s.\n", name,
				reason);
		}
		is_told = true;
		return false;
	}
	const char *pattern = secure_getenv("QUEUESCOPE_SNAPSHOT");
	if (pattern != NULL && strlen(pattern) < sizeof on_signal.pattern) strcpy(on_signal.pattern, pattern);
	snprintf(on_signal.name, sizeof on_signal.name, "%s%s", strncmp(name, "SIG", 3) == 0 ? "" : "SIG", name);
	struct sigaction action = {.sa_handler = request_snapshot, .sa_flags = SA_RESTART};
	sigfillset(&action.sa_mask);
	if (sigaction(number, &action, NULL) != 0) return false;
	on_signal.number = number;
	return true;
}

void qs_snapshot_signal_serve(void)
{
	if (!__atomic_exchange_n(&on_signal.is_wanted, false, __ATOMIC_ACQUIRE)) return;
	char reason[48];
	snprintf(reason, sizeof reason, "signal %s", on_signal.name);
	const char *pattern = on_signal.pattern[0] != 0 ? on_signal.pattern : NULL;
	on_signal.last = qs_session_snapshot(pattern, reason, &on_signal.result);
	on_signal.has_last = true;
}

struct qs_signal_snapshot qs_snapshot_signal_last(void)
{
	if (!on_signal.has_last) return (struct qs_signal_snapshot){.result = -1, .directory = ""};
	return (struct qs_signal_snapshot){on_signal.last, on_signal.result.system_error, on_signal.result.directory};
}

void qs_snapshot_signal_forget(void)
{
	__atomic_store_n(&on_signal.is_wanted, false, __ATOMIC_RELAXED);
}
