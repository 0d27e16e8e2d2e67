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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CTraceRecorder.h"
#include "recorder_thread.h"
#include "sandbox.h"
#include "service.h"
#include "session.h"
#include "system_calls.h"
#include "task_list.h"

enum {
	LOOK_EVERY_MS = 50,
	// Whether the main thread has ended without a word: with the recorder's other work, not woken for it.
	LOOK_FOR_MAIN_EVERY_MS = 1000,
};

static const int64_t MILLISECOND = 1000 * 1000;

static sigset_t signal_mask;     // the main thread's
static bool has_ended;           // atomic: the main thread, and its successor waits for the others
static bool is_last;             // atomic: of the program's threads none is left
static bool has_given_up;        // atomic: nobody can tell
static int left_status;          // of the process, as waitpid tells it
static pthread_key_t key;
static bool has_key;

// The begin of a file that the system has of a thread; empty when it cannot be read.
static void read_of_thread(uint32_t tid, const char *name, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%u/%s", tid, name);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, text, size - 1) : 0;
	text[length > 0 ? length : 0] = 0;
	if (file >= 0) close(file);
}

static bool is_recorder(uint32_t tid)
{
	char name[32];
	read_of_thread(tid, "comm", name, sizeof name);
	return strcmp(name, QS_SERVICE_NAME "\n") == 0;
}

static void see_thread(uint32_t tid, void *context)
{
	bool *others = context;
	// The main thread stays in the list until the process ends.
	if (!*others && tid != (uint32_t)getpid() && !is_recorder(tid)) *others = true;
}

// What waitpid would tell of the main thread; -1 while it lives.
static int main_thread_status(void)
{
	char text[1024]; // "TID (NAME) STATE … STATUS"
	read_of_thread((uint32_t)getpid(), "stat", text, sizeof text);
	const char *name_end = strrchr(text, ')');
	if (name_end == NULL || strncmp(name_end, ") Z", 3) != 0) return -1;
	return (int)strtoul(strrchr(text, ' '), NULL, 10);
}

static enum qs_program_end look_for_main_thread(int64_t now_ns)
{
	static int64_t due_ns;
	static bool is_outlived;
	if (now_ns < due_ns) return QS_PROGRAM_GOES_ON;
	due_ns = now_ns + LOOK_FOR_MAIN_EVERY_MS * MILLISECOND;
	int status = main_thread_status();
	bool others = false;
	if (status < 0 || !qs_tasks_visit(see_thread, &others)) return QS_PROGRAM_GOES_ON;
	// Since Linux 5.17 the process has the status of the thread that ends last: 0 of one that the C library made.
	left_status = is_outlived ? 0 : status;
	is_outlived |= others;
	// It may have started its successor since this was asked, which has the recorder's name.
	bool has_successor = __atomic_load_n(&has_ended, __ATOMIC_ACQUIRE);
	return others || has_successor ? QS_PROGRAM_GOES_ON : QS_PROGRAM_IS_GONE;
}

void qs_main_thread_leave_status(void)
{
	if (WIFSIGNALED(left_status)) {
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, WTERMSIG(left_status));
		signal(WTERMSIG(left_status), SIG_DFL);
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
		raise(WTERMSIG(left_status));
	}
	// Not by way of the C library, which might call exit.
	syscall(SYS_exit, WEXITSTATUS(left_status));
}

enum qs_program_end qs_main_thread_watch(int64_t now_ns, int64_t *due_ns)
{
	*due_ns = INT64_MAX;
	if (!__atomic_load_n(&has_ended, __ATOMIC_ACQUIRE)) return look_for_main_thread(now_ns);
	bool others = false;
	bool is_known = qs_tasks_visit(see_thread, &others);
	if (!is_known) __atomic_store_n(&has_given_up, true, __ATOMIC_RELEASE);
	else if (!others) __atomic_store_n(&is_last, true, __ATOMIC_RELEASE);
	*due_ns = now_ns + LOOK_EVERY_MS * MILLISECOND;
	return is_known ? QS_PROGRAM_GOES_ON : QS_PROGRAM_IS_UNKNOWN;
}

// Not the recorder's thread: it has descriptors of its own, and what exit writes goes to the program's.
static void *wait_for_others(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, QS_SERVICE_NAME);
	qs_thread_inside = true; // records nothing itself
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * MILLISECOND};
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
	// A child of _Fork has a copy of what was here, and none of the threads.
	if (qs_thread_is_sandboxed || !qs_service_is_running() || qs_session.pid != (uint32_t)getpid()) return;
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
