// The cost of recording context switches for a program that creates threads: the figures in switch_ring.h.
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Events/clock.h"
#include "CTraceRecorder.h"
#include "probe.h"

enum { ROUNDS = 11, MOST_EVENTS = 128, RING_PAGES = 1 };

static const struct mode {
	const char *name;
	int inherited_events; // perf events of this thread, one per simulated processor
	const char *track;    // QUEUESCOPE_PROCESSORS of the session; NULL: no session
} modes[] = {
	{"nothing", 0, NULL},
	{"inherited events of 1 processor", 1, NULL},
	{"inherited events of 2 processors", 2, NULL},
	{"inherited events of 8 processors", 8, NULL},
	{"inherited events of 32 processors", 32, NULL},
	{"inherited events of 128 processors", 128, NULL},
	{"session without the processor track", 0, "0"},
	{"session with the processor track", 0, "1"},
};
enum { MODES = sizeof modes / sizeof modes[0] };

static void *record_once(void *unused)
{
	qs_record_item_enqueue(1, 1, 0, qs_item_kind_async, 0);
	return unused;
}

static int compare(const void *left, const void *right)
{
	int64_t first = *(const int64_t *)left, second = *(const int64_t *)right;
	return first < second ? -1 : first > second;
}

static int64_t median(int64_t *values, int count)
{
	qsort(values, (size_t)count, sizeof values[0], compare);
	return values[count / 2];
}

// The median time of creating and joining a thread, in nanoseconds.
static int64_t measure(int64_t *times, int threads)
{
	for (int index = 0; index < threads; index++) {
		pthread_t thread;
		int64_t begin = qs_clock_system(CLOCK_MONOTONIC);
		if (pthread_create(&thread, NULL, record_once, NULL) != 0) abort();
		pthread_join(thread, NULL);
		times[index] = qs_clock_system(CLOCK_MONOTONIC) - begin;
	}
	return median(times, threads);
}

static int open_inherited(long processor)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.config = PERF_COUNT_SW_DUMMY,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = 1,
	};
	return (int)syscall(SYS_perf_event_open, &attributes, 0, processor, -1, PERF_FLAG_FD_CLOEXEC);
}

static int64_t measure_inherited(int events, int64_t *times, int threads)
{
	size_t bytes = (size_t)(1 + RING_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	int files[MOST_EVENTS];
	void *rings[MOST_EVENTS];
	for (int index = 0; index < events; index++) {
		files[index] = open_inherited(index % sysconf(_SC_NPROCESSORS_ONLN));
		rings[index] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, files[index], 0);
		if (rings[index] == MAP_FAILED) abort();
	}
	int64_t result = measure(times, threads);
	for (int index = 0; index < events; index++) {
		munmap(rings[index], bytes);
		close(files[index]);
	}
	return result;
}

static int64_t measure_session(const char *directory, const struct mode *mode, int round, int64_t *times, int threads)
{
	char path[4096];
	snprintf(path, sizeof path, "%s-%d-%s", directory, round, mode->track);
	setenv("QUEUESCOPE_PROCESSORS", mode->track, 1);
	probe_start(path, 0);
	int64_t result = measure(times, threads);
	qs_session_stop();
	return result;
}

int probe_thread_cost(int argc, char **argv)
{
	int threads = argc < 2 ? 0 : atoi(argv[1]);
	if (threads < 1) return 64;
	struct rlimit cpu = {RLIM_INFINITY, RLIM_INFINITY};
	setrlimit(RLIMIT_CPU, &cpu);
	int64_t *times = malloc((size_t)threads * sizeof *times);
	if (times == NULL) return 1;
	static int64_t medians[MODES][ROUNDS];
	for (int round = 0; round < ROUNDS; round++) {
		for (int index = 0; index < MODES; index++) {
			const struct mode *mode = &modes[index];
			medians[index][round] = mode->track != NULL
				? measure_session(argv[0], mode, round, times, threads)
				: measure_inherited(mode->inherited_events, times, threads);
		}
	}
	free(times);
	double base = (double)median(medians[0], ROUNDS);
	for (int index = 0; index < MODES; index++) {
		double value = (double)median(medians[index], ROUNDS);
		printf("%-36s %6.1f µs  %.2f ×\n", modes[index].name, value / 1000, value / base);
	}
	return 0;
}

// The processor time of the recorder thread in a process with many idle threads.

static void *wait_forever(void *unused)
{
	pause();
	return unused;
}

// Processor time of the process's threads with the recorder's name, in milliseconds.
static long recorder_milliseconds(void)
{
	long total = 0;
	for (long tid = getpid(); tid < getpid() + 64; tid++) {
		char path[64], name[32] = "";
		long long nanoseconds = 0;
		snprintf(path, sizeof path, "/proc/self/task/%ld/comm", tid);
		FILE *file = fopen(path, "r");
		if (file == NULL) continue;
		if (fgets(name, sizeof name, file) == NULL) name[0] = 0;
		fclose(file);
		if (strcmp(name, "queuescope\n") != 0) continue;
		snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", tid);
		file = fopen(path, "r");
		if (file != NULL && fscanf(file, "%lld", &nanoseconds) == 1) total += (long)(nanoseconds / 1000000);
		if (file != NULL) fclose(file);
	}
	return total;
}

int probe_many_threads(int argc, char **argv)
{
	if (argc < 2) return 64;
	probe_start(argv[0], 0);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 32 * 1024);
	for (int index = 0; index < atoi(argv[1]); index++) {
		pthread_t thread;
		if (pthread_create(&thread, &attributes, wait_forever, NULL) != 0) return 1;
	}
	const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
	nanosleep(&(struct timespec){.tv_sec = 1}, NULL); // the recorder thread opens the rings
	long before = recorder_milliseconds();
	int64_t begin = qs_clock_system(CLOCK_MONOTONIC);
	// Each new thread requests a scan of all threads.
	while (qs_clock_system(CLOCK_MONOTONIC) - begin < 2000000000) {
		pthread_t thread;
		if (pthread_create(&thread, &attributes, record_once, NULL) != 0) return 1;
		pthread_join(thread, NULL);
		nanosleep(&pause, NULL);
	}
	printf("milliseconds %ld\n", recorder_milliseconds() - before);
	fflush(stdout);
	qs_session_stop();
	_exit(0);
}
