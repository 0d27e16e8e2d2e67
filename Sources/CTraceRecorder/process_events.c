// What the recorder does by itself: start from the environment, stop at exit, stay quiet in a forked child.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event_writing.h"
#include "session.h"

static const char trace_variable[] = "QUEUESCOPE_TRACE";
static const char limit_variable[] = "QUEUESCOPE_LIMIT";
// Which process the trace belongs to: programs that it starts inherit the environment, and must not write there.
static const char owner_variable[] = "QUEUESCOPE_TRACE_PID";

// Whether the fork that is under way took the locks. Guarded by the session's lock.
static bool fork_has_locks;

// All locks are taken, so that the child finds nothing half done. Not by a signal handler that interrupted the recorder: its thread may hold them.
static void before_fork(void)
{
	if (qs_thread_inside) return;
	qs_thread_inside = true;
	pthread_mutex_lock(&qs_session.lock);
	pthread_mutex_lock(&qs_session.definitions_lock);
	pthread_mutex_lock(&qs_stacks_lock);
	fork_has_locks = true;
}

static void after_fork_in_parent(void)
{
	if (!fork_has_locks) return;
	fork_has_locks = false;
	pthread_mutex_unlock(&qs_stacks_lock);
	pthread_mutex_unlock(&qs_session.definitions_lock);
	pthread_mutex_unlock(&qs_session.lock);
	qs_thread_inside = false;
}

// The packets are shared with the parent, so the child must not write: it records nothing until it starts a session itself.
static void after_fork_in_child(void)
{
	__atomic_store_n(&qs_session_epoch, 0, __ATOMIC_RELEASE);
	qs_forget_tid();
	qs_thread_stream = NULL;
	qs_session.streams = NULL;
	qs_session.has_supplier = false; // the thread is the parent's
	memset(&qs_session.definitions, 0, sizeof qs_session.definitions);
	pthread_mutex_init(&qs_stacks_lock, NULL);
	pthread_mutex_init(&qs_session.definitions_lock, NULL);
	pthread_mutex_init(&qs_session.lock, NULL);
	if (!fork_has_locks) return;
	fork_has_locks = false;
	qs_thread_inside = false;
}

static const char *explain(int result)
{
	switch (result) {
	case QS_SESSION_EXISTS: return "it exists and is not an empty directory; name a new one";
	case QS_SESSION_NO_SPACE: return "there is no space for the first packet; raise QUEUESCOPE_LIMIT or free disk space";
	case QS_SESSION_PATH_TOO_LONG: return "the path is too long";
	default: return strerror(errno);
	}
}

__attribute__((constructor)) static void process_starts(void)
{
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
	const char *directory = secure_getenv(trace_variable);
	if (directory == NULL || directory[0] == 0) return;
	int saved_errno = errno;
	char pid[16];
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	const char *owner = secure_getenv(owner_variable);
	if (owner != NULL && strcmp(owner, pid) != 0) return; // a child of the recorded process
	const char *limit = secure_getenv(limit_variable);
	struct qs_session_options options = {.limit = limit != NULL ? strtoull(limit, NULL, 10) : 0};
	int system_error = 0;
	int result = qs_session_start(directory, &options, &system_error);
	if (result == QS_SESSION_OK) {
		setenv(owner_variable, pid, 1);
	} else {
		errno = system_error;
		fprintf(stderr, "queuescope: cannot record into %s: %s. The program runs on without being recorded.\n", directory,
			explain(result));
	}
	errno = saved_errno;
}

__attribute__((destructor)) static void process_ends(void)
{
	qs_session_stop();
}
