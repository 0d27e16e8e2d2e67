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

#include "../Events/identity.h"
#include "../Events/recorder.h"
#include "../Gate/thread_guard.h"
#include "../System/futex.h"
#include "../System/recorder_thread.h"
#include "../System/system_calls.h"
#include "../System/task_list.h"
#include "CTraceRecorder.h"

enum {
	// Interval of the checks for other threads: after the end of a thread. It doubles up to a second while no thread
	// ends.
	CHECK_INTERVAL_MS = 50,
	LONGEST_CHECK_INTERVAL_MS = 1000,
	// Shortest interval at which the exit of the main thread without a destructor is checked. Runs together with the
	// recorder's other work, at least once a second; the recorder thread is not woken for it.
	MAIN_CHECK_INTERVAL_MS = 900,
};

static const int64_t MILLISECOND = 1000 * 1000;

static sigset_t signal_mask;     // of the main thread
static bool has_ended;           // atomic: the main thread has ended by pthread_exit; for the life of the process
static void (*close_control)(void); // atomic: closes the control socket; NULL: it has never been open
// Of the current session:
static uint32_t sessions;        // atomic: its number
static bool has_successor;       // atomic: a successor of the main thread waits for the other threads
static bool is_last;             // atomic: no other thread of the program is left
static bool has_given_up;        // atomic: the list of threads cannot be read
static bool thread_ends;         // atomic: a thread has announced its end since the last check
static int64_t check_interval_ms; // atomic
static uint32_t changes;         // atomic, futex: counts changes that the successor waits for
static int left_status;          // exit status of the process, as waitpid reports it
static int64_t main_check_due_ns;
static bool was_outlived;        // other threads were alive after the main thread's end
static uint64_t (*stop_session)(void);
static pthread_key_t key;
static bool has_key;

// Start of a file in /proc of a thread; empty when it cannot be read.
static void read_thread_file(uint32_t tid, const char *name, char *text, size_t size)
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
	read_thread_file(tid, "comm", name, sizeof name);
	return strcmp(name, QS_RECORDER_NAME "\n") == 0;
}

static void note_program_thread(uint32_t tid, void *context)
{
	bool *others = context;
	// The main thread stays in the list until the process ends.
	if (!*others && tid != (uint32_t)getpid() && !is_recorder(tid)) *others = true;
}

// Status of the main thread as waitpid would report it; -1 while it lives.
static int main_thread_status(void)
{
	char text[1024]; // "TID (NAME) STATE … STATUS"
	read_thread_file((uint32_t)getpid(), "stat", text, sizeof text);
	const char *name_end = strrchr(text, ')');
	if (name_end == NULL || strncmp(name_end, ") Z", 3) != 0) return -1;
	return (int)strtoul(strrchr(text, ' '), NULL, 10);
}

static enum qs_program_end check_main_thread(int64_t now_ns)
{
	if (now_ns < main_check_due_ns) return QS_PROGRAM_GOES_ON;
	main_check_due_ns = now_ns + MAIN_CHECK_INTERVAL_MS * MILLISECOND;
	int status = main_thread_status();
	bool others = false;
	if (status < 0 || !qs_tasks_visit(note_program_thread, &others)) return QS_PROGRAM_GOES_ON;
	// Since Linux 5.17 the last thread determines the exit status of the process: 0 for a thread that the C library
	// created.
	left_status = was_outlived ? 0 : status;
	was_outlived |= others;
	// The main thread may have started its successor since the check. The successor has the recorder's name.
	return others || __atomic_load_n(&has_successor, __ATOMIC_ACQUIRE) ? QS_PROGRAM_GOES_ON : QS_PROGRAM_IS_GONE;
}

bool qs_main_thread_is_zombie(void)
{
	return main_thread_status() >= 0;
}

bool qs_main_thread_was_last(void)
{
	int status = main_thread_status();
	bool others = false;
	if (status < 0 || !qs_tasks_visit(note_program_thread, &others) || others) return false;
	left_status = status;
	return true;
}

static void close_control_socket(void)
{
	void (*close_socket)(void) = __atomic_load_n(&close_control, __ATOMIC_RELAXED);
	if (!qs_thread_is_sandboxed && close_socket != NULL) close_socket();
}

void qs_main_thread_leave_status(void)
{
	close_control_socket();
	if (WIFSIGNALED(left_status)) {
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, WTERMSIG(left_status));
		signal(WTERMSIG(left_status), SIG_DFL);
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
		raise(WTERMSIG(left_status));
	}
	// Not through the C library, which might call exit.
	syscall(SYS_exit, WEXITSTATUS(left_status));
}

void qs_main_thread_wake_successor(void)
{
	if (!__atomic_load_n(&has_successor, __ATOMIC_ACQUIRE)) return;
	__atomic_fetch_add(&changes, 1, __ATOMIC_RELEASE);
	qs_futex_wake_all(&changes);
}

void qs_main_thread_note_thread_end(void)
{
	if (!__atomic_load_n(&has_successor, __ATOMIC_ACQUIRE)) return;
	__atomic_store_n(&thread_ends, true, __ATOMIC_RELEASE);
	if (__atomic_load_n(&check_interval_ms, __ATOMIC_RELAXED) > CHECK_INTERVAL_MS) qs_recorder_wake();
}

static int64_t next_check(int64_t now_ns)
{
	bool is_soon = __atomic_exchange_n(&thread_ends, false, __ATOMIC_ACQUIRE);
	int64_t interval_ms = is_soon ? CHECK_INTERVAL_MS : 2 * check_interval_ms;
	if (interval_ms < CHECK_INTERVAL_MS) interval_ms = CHECK_INTERVAL_MS;
	if (interval_ms > LONGEST_CHECK_INTERVAL_MS) interval_ms = LONGEST_CHECK_INTERVAL_MS;
	__atomic_store_n(&check_interval_ms, interval_ms, __ATOMIC_RELAXED);
	if (interval_ms < LONGEST_CHECK_INTERVAL_MS) return now_ns + interval_ms * MILLISECOND;
	return qs_clock_next_second(now_ns, qs_identity.started.monotonic_ns);
}

enum qs_program_end qs_main_thread_watch(int64_t now_ns, int64_t *due_ns)
{
	*due_ns = INT64_MAX;
	if (!__atomic_load_n(&has_successor, __ATOMIC_ACQUIRE)) return check_main_thread(now_ns);
	bool others = false;
	bool is_known = qs_tasks_visit(note_program_thread, &others);
	if (!is_known) __atomic_store_n(&has_given_up, true, __ATOMIC_RELEASE);
	else if (!others) __atomic_store_n(&is_last, true, __ATOMIC_RELEASE);
	if (!is_known || !others) qs_main_thread_wake_successor();
	*due_ns = next_check(now_ns);
	return is_known ? QS_PROGRAM_GOES_ON : QS_PROGRAM_IS_UNKNOWN;
}

static bool is_of(const void *session)
{
	return __atomic_load_n(&sessions, __ATOMIC_ACQUIRE) == (uint32_t)(uintptr_t)session;
}

static bool is_current(const void *session)
{
	return qs_recorder_is_running() && is_of(session);
}

// Not the recorder thread: it has its own descriptor table, and output during exit must go to the program's
// descriptors.
static void *wait_for_others(void *session)
{
	prctl(PR_SET_NAME, QS_RECORDER_NAME);
	qs_thread_inside = true; // records no events of its own
	for (;;) {
		uint32_t seen = __atomic_load_n(&changes, __ATOMIC_ACQUIRE);
		if (!is_current(session) || __atomic_load_n(&is_last, __ATOMIC_ACQUIRE)) break;
		qs_futex_wait(&changes, seen, qs_clock_system(CLOCK_MONOTONIC) + LONGEST_CHECK_INTERVAL_MS * MILLISECOND);
	}
	// The C library calls exit on this thread if it is the last one.
	if (is_of(session) && __atomic_load_n(&has_given_up, __ATOMIC_ACQUIRE)) qs_recorder_join();
	qs_thread_inside = false;
	pthread_sigmask(SIG_SETMASK, &signal_mask, NULL);
	if (is_of(session) && __atomic_load_n(&is_last, __ATOMIC_ACQUIRE)) exit(0);
	return NULL;
}

static bool start_successor(void)
{
	pthread_t thread;
	void *session = (void *)(uintptr_t)__atomic_load_n(&sessions, __ATOMIC_RELAXED);
	if (!qs_recorder_thread_start(&thread, QS_WHOLE_STACK, wait_for_others, session)) return false;
	pthread_detach(thread);
	__atomic_store_n(&has_successor, true, __ATOMIC_RELEASE);
	return true;
}

static void main_thread_ends(void *round)
{
	// After all other destructors: the destructor of libdispatch keeps the main thread of a program that calls
	// dispatch_main.
	uintptr_t next = (uintptr_t)round + 1;
	if (next < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(key, (void *)next) == 0) return;
	close_control_socket();
	// A child of _Fork has a copy of this state and none of the threads.
	if (qs_thread_is_sandboxed || qs_identity.pid != (uint32_t)getpid()) return;
	pthread_sigmask(SIG_SETMASK, NULL, &signal_mask);
	__atomic_store_n(&has_ended, true, __ATOMIC_RELEASE);
	if (!qs_recorder_is_running()) return;
	// After a stop the recorder thread is gone, so the last thread of the program is the last thread of the process.
	if (start_successor()) qs_recorder_wake();
	else stop_session();
}

void qs_main_thread_call_at_end(void (*close)(void))
{
	__atomic_store_n(&close_control, close, __ATOMIC_RELAXED);
}

void qs_main_thread_begin_session(uint64_t (*stop)(void))
{
	stop_session = stop;
	__atomic_store_n(&has_successor, false, __ATOMIC_RELAXED);
	__atomic_store_n(&is_last, false, __ATOMIC_RELAXED);
	__atomic_store_n(&has_given_up, false, __ATOMIC_RELAXED);
	check_interval_ms = 0;
	main_check_due_ns = 0;
	__atomic_fetch_add(&sessions, 1, __ATOMIC_RELEASE); // pairs with the load in is_of
}

void qs_main_thread_forget(void)
{
	has_ended = false;
	has_successor = false;
	is_last = false;
	has_given_up = false;
	main_check_due_ns = 0;
	was_outlived = false;
}

void qs_main_thread_prepare_end(void)
{
	// The main thread has ended before this session. If no thread can be created, check_main_thread detects the end of
	// the program.
	bool is_gone = __atomic_load_n(&has_ended, __ATOMIC_ACQUIRE);
	if (is_gone && !__atomic_load_n(&has_successor, __ATOMIC_ACQUIRE)) start_successor();
	if (qs_current_tid() != (uint32_t)getpid()) return;
	if (!has_key) has_key = pthread_key_create(&key, main_thread_ends) == 0;
	if (has_key) pthread_setspecific(key, (void *)1);
}
