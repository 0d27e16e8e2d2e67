// Threads that lose and get their processors in known patterns, and the kernel's counts of these context switches.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Observers/switch_budget.h"
#include "CTraceRecorder.h"
#include "probe.h"

enum { PLAYERS = 2, THREADS = PLAYERS + 1 };

static long rounds;
static bool is_quiet;      // the players record no events
static uint32_t open_gate; // futex: 1 when the threads may begin
static uint32_t turn;      // futex: the player whose turn it is
static uint32_t finished;  // number of players that are done

struct switch_counts {
	long voluntary;
	long involuntary;
};

static struct switch_counts counts_of(int tid)
{
	char text[8192];
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) abort();
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	text[length > 0 ? length : 0] = 0;
	static const char voluntary[] = "\nvoluntary_ctxt_switches:";
	static const char involuntary[] = "\nnonvoluntary_ctxt_switches:";
	const char *first = strstr(text, voluntary), *second = strstr(text, involuntary);
	if (first == NULL || second == NULL) abort();
	return (struct switch_counts){
		.voluntary = atol(first + sizeof voluntary - 1),
		.involuntary = atol(second + sizeof involuntary - 1),
	};
}

static struct switch_counts own_counts(void)
{
	return counts_of((int)qs_current_tid());
}

long probe_voluntary_switches(int tid)
{
	return counts_of(tid).voluntary;
}

// Records events until one has no switch near it. The counts at that last event, the edge, are exact.
static struct switch_counts edge(void (*record)(void))
{
	for (;;) {
		struct switch_counts before = own_counts();
		record();
		struct switch_counts after = own_counts();
		if (before.voluntary == after.voluntary && before.involuntary == after.involuntary) return after;
	}
}

static void record_begin(void)
{
	qs_record_item_begin(1, 1);
}

static void record_end(void)
{
	qs_record_item_end(1);
}

static void wait_while(uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void set_and_wake(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, THREADS, NULL, NULL, 0);
}

static void wait_for_gate(void)
{
	while (__atomic_load_n(&open_gate, __ATOMIC_ACQUIRE) == 0) wait_while(&open_gate, 0);
}

static void play(uint32_t me)
{
	for (long round = 0; round < rounds; round++) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me) {
			if (!is_quiet) qs_record_lock_wait((uint64_t)(uintptr_t)&turn, 0, 0);
			wait_while(&turn, 1 - me);
			if (!is_quiet) qs_record_lock_acquire((uint64_t)(uintptr_t)&turn, 0);
		}
		set_and_wake(&turn, 1 - me);
	}
	__atomic_fetch_add(&finished, 1, __ATOMIC_RELEASE);
}

static void spin(void)
{
	while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) < PLAYERS) {}
}

static void *run_thread(void *argument)
{
	uint32_t number = (uint32_t)(uintptr_t)argument;
	qs_record_item_enqueue(number + 1, 1, 0, qs_item_kind_async, 0); // the recorder detects the thread
	wait_for_gate();
	struct switch_counts begin = edge(record_begin);
	if (number < PLAYERS) {
		play(number);
	} else {
		spin();
	}
	struct switch_counts end = edge(record_end);
	printf("thread %u voluntary %ld involuntary %ld\n", qs_current_tid(), end.voluntary - begin.voluntary,
		end.involuntary - begin.involuntary);
	return NULL;
}

static void start_threads(pthread_t *threads, int count)
{
	for (int index = 0; index < count; index++) {
		if (pthread_create(&threads[index], NULL, run_thread, (void *)(uintptr_t)index) != 0) abort();
	}
}

// Counts the threads whose switches the kernel records: each has a mapping.
static int covered_threads(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	if (maps == NULL) abort();
	int count = 0;
	for (char line[512]; fgets(line, sizeof line, maps) != NULL;) count += strstr(line, "[perf_event]") != NULL;
	fclose(maps);
	return count;
}

// Waits until the recorder has detected all threads, if it records switches.
static void wait_until_covered(int count)
{
	while (covered_threads() > 0 && covered_threads() < count + 1) usleep(1000);
}

static void join_threads(pthread_t *threads, int count)
{
	wait_until_covered(count);
	set_and_wake(&open_gate, 1);
	for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
}

int probe_switches(int argc, char **argv)
{
	if (argc < 3) return 64;
	bool threads_first = strcmp(argv[1], "threads-first") == 0;
	rounds = atol(argv[2]);
	pthread_t threads[THREADS];
	if (threads_first) start_threads(threads, THREADS);
	probe_start(argv[0], 0);
	if (!threads_first) start_threads(threads, THREADS);
	wait_until_covered(THREADS);
	if (strcmp(argv[1], "threads-quiet") == 0 && covered_threads() > 0) probe_wait_until_quiet();
	join_threads(threads, THREADS);
	qs_session_stop();
	return 0;
}

int probe_switches_after_close(int argc, char **argv)
{
	if (argc < 2) return 64;
	rounds = atol(argv[1]);
	probe_start(argv[0], 0);
	for (int file = 3; file < 256; file++) close(file);
	// Files of the program may now have descriptors that the recorder used before.
	FILE *own[16];
	for (int index = 0; index < 16; index++) {
		own[index] = tmpfile();
		if (own[index] == NULL) return 1;
	}
	pthread_t threads[THREADS];
	start_threads(threads, THREADS);
	join_threads(threads, THREADS);
	qs_session_stop();
	for (int index = 0; index < 16; index++) {
		struct stat status;
		if (fstat(fileno(own[index]), &status) != 0 || status.st_size != 0) return 1;
	}
	return 0;
}

int probe_switches_of_fork(int argc, char **argv)
{
	if (argc < 2) return 64;
	rounds = atol(argv[1]);
	probe_start(argv[0], 0);
	pid_t child = fork();
	if (child == 0) {
		fclose(stdout);
		pthread_t threads[PLAYERS];
		start_threads(threads, PLAYERS);
		join_threads(threads, PLAYERS);
		exit(0);
	}
	int status = 0;
	waitpid(child, &status, 0);
	pthread_t threads[PLAYERS];
	start_threads(threads, PLAYERS);
	join_threads(threads, PLAYERS);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return 0;
}

// Whether a packet was written to a stream that does not belong to a thread.
static bool has_kernel_events(const char *directory_path)
{
	DIR *directory = opendir(directory_path);
	if (directory == NULL) return false;
	bool found = false;
	for (struct dirent *entry; !found && (entry = readdir(directory)) != NULL;) {
		if (strncmp(entry->d_name, "kernel-", 7) != 0) continue;
		int file = openat(dirfd(directory), entry->d_name, O_RDONLY);
		uint64_t content_size = 0;
		found = pread(file, &content_size, sizeof content_size, 48) == sizeof content_size && content_size > 84 * 8;
		close(file);
	}
	closedir(directory);
	return found;
}

int probe_switches_until_killed(int argc, char **argv)
{
	(void)argc;
	rounds = INT32_MAX;
	probe_start(argv[0], 0);
	pthread_t threads[PLAYERS];
	start_threads(threads, PLAYERS);
	set_and_wake(&open_gate, 1);
	while (!has_kernel_events(argv[0])) usleep(1000);
	kill(getpid(), SIGKILL);
	return 1;
}

static bool is_supplier(const char *tid)
{
	char path[300], name[32] = "";
	snprintf(path, sizeof path, "/proc/self/task/%s/comm", tid);
	int file = open(path, O_RDONLY);
	if (file < 0) return false;
	ssize_t length = read(file, name, sizeof name - 1);
	close(file);
	return length > 0 && strncmp(name, "queuescope", 10) == 0;
}

int probe_recorder_tid(void)
{
	DIR *directory = opendir("/proc/self/task");
	if (directory == NULL) return 0;
	pid_t tid = 0;
	for (struct dirent *entry; tid == 0 && (entry = readdir(directory)) != NULL;) {
		if (is_supplier(entry->d_name)) tid = atoi(entry->d_name);
	}
	closedir(directory);
	return tid;
}

// Stops a thread of the parent as a debugger does. Receives its id first, and resumes it at the next message.
static void hold_thread(int socket)
{
	pid_t tid;
	if (read(socket, &tid, sizeof tid) != sizeof tid) return;
	int error = 0;
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0 || ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0) error = errno;
	if (error == 0 && waitpid(tid, NULL, __WALL) != tid) error = errno;
	if (write(socket, &error, sizeof error) != sizeof error || error != 0) return;
	if (read(socket, &tid, sizeof tid) >= 0) ptrace(PTRACE_DETACH, tid, NULL, NULL);
}

// Starts a process that stops threads of this process. Call before the session, so that it is not part of it.
static int start_holder(void)
{
	int sockets[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return -1;
	pid_t child = fork();
	if (child == 0) {
		close(sockets[0]);
		hold_thread(sockets[1]);
		_exit(0);
	}
	close(sockets[1]);
	// Needed where a process may only be traced by its ancestors.
	prctl(PR_SET_PTRACER, child, 0, 0, 0);
	return child > 0 ? sockets[0] : -1;
}

int probe_switches_lost(int argc, char **argv)
{
	if (argc < 2) return 64;
	rounds = atol(argv[1]);
	is_quiet = true;
	int holder = start_holder();
	probe_start(argv[0], 0);
	pthread_t threads[PLAYERS];
	start_threads(threads, PLAYERS);
	wait_until_covered(PLAYERS);
	pid_t tid = probe_recorder_tid();
	int error = 0;
	if (holder < 0 || tid == 0 || write(holder, &tid, sizeof tid) != sizeof tid) return 1;
	if (read(holder, &error, sizeof error) != sizeof error || error != 0) {
		fprintf(stderr, "cannot stop the recorder's thread: %s\n", strerror(error));
		return 1;
	}
	join_threads(threads, PLAYERS);
	if (write(holder, &tid, sizeof tid) != sizeof tid) return 1;
	uint64_t discarded = qs_session_stop();
	printf("discarded %lu\n", (unsigned long)discarded);
	return 0;
}

// The players take turns while each record has such a high cost that the budget is used up at once. The third thread
// only sleeps and is not paused with them.
static void *sleep_until_finished(void *unused)
{
	(void)unused;
	qs_record_item_enqueue(THREADS, 1, 0, qs_item_kind_async, 0);
	wait_for_gate();
	printf("quiet %u\n", qs_current_tid());
	while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) < PLAYERS) usleep(100 * 1000);
	return NULL;
}

int probe_switches_dear(int argc, char **argv)
{
	if (argc < 2) return 64;
	rounds = atol(argv[1]);
	is_quiet = true;
	qs_switch_record_cost_ns = 20 * 1000;
	probe_start(argv[0], 0);
	pthread_t threads[THREADS];
	start_threads(threads, PLAYERS);
	if (pthread_create(&threads[PLAYERS], NULL, sleep_until_finished, NULL) != 0) abort();
	join_threads(threads, THREADS);
	qs_session_stop();
	return 0;
}
