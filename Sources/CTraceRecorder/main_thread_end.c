#define _GNU_SOURCE
#include "main_thread_end.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "CTraceRecorder.h"
#include "recorder_thread.h"
#include "service.h"
#include "session.h"
#include "task_list.h"

enum { LOOK_EVERY_MS = 50 };

static sigset_t signal_mask;     // the main thread's
static bool has_ended;           // atomic: the main thread, and its successor waits for the others
static bool is_last;             // atomic: of the program's threads none is left
static bool has_given_up;        // atomic: nobody can tell
static pthread_key_t key;
static bool has_key;

static bool is_recorder(uint32_t tid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%u/comm", tid);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	char name[16];
	ssize_t length = read(file, name, sizeof name);
	close(file);
	static const char own[] = QS_SERVICE_NAME "\n";
	return length == sizeof own - 1 && memcmp(name, own, sizeof own - 1) == 0;
}

static void see_thread(uint32_t tid, void *context)
{
	bool *others = context;
	// The main thread stays in the list until the process ends.
	if (!*others && tid != (uint32_t)getpid() && !is_recorder(tid)) *others = true;
}

bool qs_main_thread_watch(int64_t now_ns, int64_t *due_ns)
{
	*due_ns = INT64_MAX;
	if (!__atomic_load_n(&has_ended, __ATOMIC_ACQUIRE)) return true;
	bool others = false;
	bool is_known = qs_tasks_visit(see_thread, &others);
	if (!is_known) __atomic_store_n(&has_given_up, true, __ATOMIC_RELEASE);
	else if (!others) __atomic_store_n(&is_last, true, __ATOMIC_RELEASE);
	*due_ns = now_ns + (int64_t)LOOK_EVERY_MS * 1000 * 1000;
	return is_known;
}

// Not the recorder's thread: it has descriptors of its own, and what exit writes goes to the program's.
static void *wait_for_others(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, QS_SERVICE_NAME);
	qs_thread_inside = true; // records nothing itself
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000 * 1000};
	while (qs_service_is_running() && !__atomic_load_n(&is_last, __ATOMIC_ACQUIRE)) nanosleep(&pause, NULL);
	// The C library calls exit on this thread if it is the last one.
	if (__atomic_load_n(&has_given_up, __ATOMIC_ACQUIRE)) qs_service_join();
	qs_thread_inside = false;
	pthread_sigmask(SIG_SETMASK, &signal_mask, NULL);
	if (__atomic_load_n(&is_last, __ATOMIC_ACQUIRE)) exit(0);
	return NULL;
}

static void main_thread_ends(void *round)
{
	// After all other destructors: libdispatch's keeps the main thread of a program that calls dispatch_main.
	uintptr_t next = (uintptr_t)round + 1;
	if (next < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(key, (void *)next) == 0) return;
	if (!qs_service_is_running()) return;
	pthread_sigmask(SIG_SETMASK, NULL, &signal_mask);
	pthread_t thread;
	if (!qs_recorder_thread_start(&thread, QS_WHOLE_STACK, wait_for_others, NULL)) {
		// Without the recorder's own thread the last one of the program's is the last of all.
		qs_session_stop();
		return;
	}
	pthread_detach(thread);
	__atomic_store_n(&has_ended, true, __ATOMIC_RELEASE);
	qs_service_wake();
}

void qs_main_thread_prepare_end(void)
{
	if (qs_current_tid() != (uint32_t)getpid()) return;
	if (!has_key) has_key = pthread_key_create(&key, main_thread_ends) == 0;
	if (has_key) pthread_setspecific(key, (void *)1);
}
