// Difficult moments for a recorder: signal handlers, fork, threads that start and end.
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Events/event_writing.h"
#include "../../../Sources/CTraceRecorder/Session/session.h"
#include "CTraceRecorder.h"
#include "probe.h"

static void handle_every_50_microseconds(void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &action, NULL);
	// A test runner may have blocked the signal, and the mask is inherited.
	sigset_t alarm;
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	struct itimerval every = {.it_interval = {.tv_usec = 50}, .it_value = {.tv_usec = 50}};
	setitimer(ITIMER_REAL, &every, NULL);
}

static volatile uint64_t attempted_in_handler;

static void record_in_handler(int signal)
{
	(void)signal;
	attempted_in_handler += 1;
	qs_record_item_end(0xBEEF);
}

int probe_signals(int argc, char **argv)
{
	if (argc < 2) return 64;
	probe_start(argv[0], 0);
	handle_every_50_microseconds(record_in_handler);
	long events = atol(argv[1]);
	long done = 0;
	// At least this number of events and some signals, with an upper limit.
	for (; (done < events || attempted_in_handler < 100) && done < 100 * events; done++) {
		qs_record_item_begin((uint64_t)done & 0xFFFFFFFF, 17);
	}
	struct itimerval never = {0};
	setitimer(ITIMER_REAL, &never, NULL);
	uint64_t in_handler = attempted_in_handler;
	uint64_t discarded = qs_session_stop();
	printf("attempted %lu discarded %lu\n", (unsigned long)done + (unsigned long)in_handler, (unsigned long)discarded);
	return 0;
}

int probe_fork(int argc, char **argv)
{
	(void)argc;
	probe_start(argv[0], 0);
	for (uint64_t index = 0; index < 100; index++) qs_record_item_begin(index, 17);
	pid_t child = fork();
	if (child == 0) {
		if (qs_is_recording()) _exit(1);
		for (uint64_t index = 0; index < 100000; index++) qs_record_item_end(index); // must have no effect
		exit(0); // with the recorder's exit code
	}
	int status = 0;
	waitpid(child, &status, 0);
	for (uint64_t index = 100; index < 200; index++) qs_record_item_begin(index, 17);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return 0; // exit without stop
}

// A handler that writes a definition, which needs the lock that fork holds.
static void define_in_handler(int signal)
{
	(void)signal;
	static uint32_t queue = 100;
	qs_record_queue_state(queue++, "handler", 7, 1, 0, 0, 0, 0, 0, qs_current_tid());
}

int probe_fork_signals(int argc, char **argv)
{
	if (argc < 2) return 64;
	long count = atol(argv[1]);
	probe_start(argv[0], 0);
	handle_every_50_microseconds(define_in_handler);
	for (long index = 0; index < count; index++) {
		pid_t child = fork(); // timers are not inherited
		if (child == 0) _exit(qs_is_recording() ? 1 : 0);
		int status = 0;
		while (waitpid(child, &status, 0) < 0) {}
		if (status != 0) return 1;
	}
	struct itimerval never = {0};
	setitimer(ITIMER_REAL, &never, NULL);
	qs_session_stop();
	printf("forks %ld\n", count);
	return 0;
}

int probe_exit(int argc, char **argv)
{
	if (argc < 2) return 64;
	long events = atol(argv[1]);
	probe_start(argv[0], 0);
	for (long index = 0; index < events; index++) qs_record_item_begin((uint64_t)index, 17);
	return 0; // exit without stop
}

static void exit_in_handler(int signal)
{
	(void)signal;
	exit(0);
}

int probe_exit_signal(int argc, char **argv)
{
	(void)argc;
	char directory[4096];
	// The recorder holds its locks longest during the start of a session.
	for (long index = 0;; index++) {
		if (index == 1) handle_every_50_microseconds(exit_in_handler);
		snprintf(directory, sizeof directory, "%s/session-%ld", argv[0], index);
		probe_start(directory, 0);
		qs_session_stop();
	}
}

static void *record_a_little(void *argument)
{
	uint64_t thread = (uint64_t)(uintptr_t)argument;
	for (uint64_t index = 0; index < 10; index++) qs_record_item_begin(thread << 32 | index, 17);
	return NULL;
}

int probe_churn(int argc, char **argv)
{
	if (argc < 3) return 64;
	long count = atol(argv[1]), together = atol(argv[2]);
	if (together < 1) return 64;
	pthread_t *threads = calloc((size_t)together, sizeof *threads);
	if (threads == NULL) return 1;
	probe_start(argv[0], 0);
	for (long index = 0; index < count; index++) {
		pthread_t *thread = &threads[index % together];
		if (index >= together) pthread_join(*thread, NULL);
		if (pthread_create(thread, NULL, record_a_little, (void *)(uintptr_t)(index + 1)) != 0) return 1;
	}
	for (long index = 0; index < together && index < count; index++) pthread_join(threads[index], NULL);
	free(threads);
	return qs_session_stop() == 0 ? 0 : 1;
}

// Threads that record in their last destructors, after the recorder's own.

static pthread_key_t late_key;

static void record_late(void *value)
{
	qs_record_item_end(1);
	pthread_setspecific(late_key, value);
}

static void *record_with_late_destructor(void *value)
{
	qs_record_item_begin(1, 17);
	pthread_setspecific(late_key, value);
	return NULL;
}

int probe_late_destructors(int argc, char **argv)
{
	if (argc < 2) return 64;
	probe_start(argv[0], 0);
	pthread_key_create(&late_key, record_late);
	for (long index = 0; index < atol(argv[1]); index++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, record_with_late_destructor, &late_key) != 0) return 1;
		pthread_join(thread, NULL);
	}
	qs_session_stop();
	return 0;
}

int probe_sessions(int argc, char **argv)
{
	if (argc < 2) return 64;
	long count = atol(argv[1]);
	for (long index = 0; index < count; index++) {
		char directory[4096];
		snprintf(directory, sizeof directory, "%s/session-%ld", argv[0], index);
		probe_start(directory, 0);
		for (uint64_t item = 0; item < 1000; item++) qs_record_item_begin(item, (uint32_t)index);
		qs_code_site("Module/File.swift", 17, 42);
		if (qs_session_stop() != 0) return 1;
	}
	return 0;
}

// A thread that is stopped in the middle of a definition, as by a debugger, while the session stops.

static pthread_barrier_t stalled;

static void *stall_in_definition(void *unused)
{
	enum { CODE_STACK = 124, BYTES = 8 };
	unsigned char *cursor = qs_definition_begin(CODE_STACK, BYTES);
	if (cursor == NULL) exit(4);
	pthread_barrier_wait(&stalled);
	pthread_barrier_wait(&stalled);
	cursor = qs_store_u64(cursor, 0);
	qs_definition_end(cursor);
	return unused;
}

static int try_start(const char *folder, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return qs_session_start(path, NULL, NULL);
}

int probe_stalled_definition(int argc, char **argv)
{
	if (argc < 1) return 64;
	pthread_barrier_init(&stalled, NULL, 2);
	if (try_start(argv[0], "first") != QS_SESSION_OK) return 3;
	pthread_t thread;
	pthread_create(&thread, NULL, stall_in_definition, NULL);
	pthread_barrier_wait(&stalled);
	qs_session_stop();
	int early = try_start(argv[0], "second");
	pthread_barrier_wait(&stalled);
	pthread_join(thread, NULL);
	int late = early == QS_SESSION_OK ? early : try_start(argv[0], "second");
	enum { DEFINITIONS = 10 };
	for (uint32_t line = 1; line <= DEFINITIONS; line++) qs_code_site("stalled.c", strlen("stalled.c"), line);
	qs_session_stop();
	printf("early %d late %d\n", early, late);
	return 0;
}

static sigjmp_buf left_event;
static bool is_leaving;

// Called in the middle of an event, as a signal handler may be.
static uint64_t leave_event(void)
{
	static uint64_t now = 1000;
	if (is_leaving) siglongjmp(left_event, 1);
	return ++now;
}

int probe_left_event(int argc, char **argv)
{
	enum { LEFT = 3, EVENTS = 100 };
	(void)argc;
	qs_clock_injected = leave_event;
	qs_gate.clock_kind = QS_CLOCK_INJECTED;
	probe_start(argv[0], 0);
	for (volatile uint64_t round = 0; round < LEFT; round++) {
		for (uint64_t item = 1; item <= EVENTS; item++) qs_record_item_begin(round << 32 | item, 1);
		is_leaving = true;
		if (sigsetjmp(left_event, 1) == 0) qs_record_item_end(1);
		is_leaving = false;
	}
	printf("discarded %lu\n", (unsigned long)qs_session_stop());
	return 0;
}

static void *stall_in_event(void *unused)
{
	// The thread has a stream.
	qs_record_item_begin(1, 1);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 1, 0);
	if (cursor == NULL) exit(4);
	pthread_barrier_wait(&stalled);
	for (;;) pause();
	return unused;
}

// Number of times that this thread waits during the call.
static long waits_of(void (*call)(void))
{
	long before = probe_voluntary_switches((int)qs_current_tid());
	call();
	return probe_voluntary_switches((int)qs_current_tid()) - before;
}

static void define_code(void)
{
	qs_code_site("stalled.c", strlen("stalled.c"), 1);
}

static void fork_child(void)
{
	pid_t child = fork();
	if (child == 0) _exit(0);
	waitpid(child, NULL, 0);
}

// A thread is stopped for good in a definition, and another one in an event.
int probe_stalled_threads(int argc, char **argv)
{
	(void)argc;
	pthread_barrier_init(&stalled, NULL, 2);
	probe_start(argv[0], 0);
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, stall_in_event, NULL);
	pthread_barrier_wait(&stalled);
	pthread_create(&threads[1], NULL, stall_in_definition, NULL);
	pthread_barrier_wait(&stalled);
	long define = waits_of(define_code), fork = waits_of(fork_child), end = waits_of(qs_session_end);
	printf("define %ld fork %ld end %ld\n", define, fork, end);
	fflush(stdout);
	_exit(0);
}
