// A program that does nothing for some time, and then records again.
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Events/stream.h"
#include "CTraceRecorder.h"
#include "probe.h"

void probe_wait_until_quiet(void)
{
	// Short sleeps would be records of this thread.
	do sleep(1);
	while (!qs_streams_are_quiet());
}

static long milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int probe_quiet(int argc, char **argv)
{
	if (argc < 2) return 64;
	probe_start(argv[0], 0);
	qs_record_item_begin(1, 1);
	int tid = probe_recorder_tid();
	// Without context switches the recorder waits for no event.
	bool has_switches = getenv("QUEUESCOPE_PROCESSORS") == NULL;
	if (has_switches) probe_wait_until_quiet();
	else sleep(1); // the start has more wake-ups
	long begin = milliseconds(), before = probe_voluntary_switches(tid);
	sleep((unsigned)atoi(argv[1]));
	long wakeups = probe_voluntary_switches(tid) - before, time = milliseconds() - begin;
	bool was_quiet = qs_streams_are_quiet();
	qs_record_item_end(1);
	printf("wakeups %ld milliseconds %ld quiet %d active %d\n", wakeups, time, was_quiet, !qs_streams_are_quiet());
	qs_session_stop();
	return 0;
}

// Times that the threads of the recorder waited.
static long recorder_waits(void)
{
	DIR *directory = opendir("/proc/self/task");
	if (directory == NULL) abort();
	long waits = 0;
	for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
		char path[300], name[32] = "";
		snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
		FILE *file = fopen(path, "r");
		if (file == NULL) continue;
		if (fgets(name, sizeof name, file) != NULL && strcmp(name, "queuescope\n") == 0) {
			waits += probe_voluntary_switches(atoi(entry->d_name));
		}
		fclose(file);
	}
	closedir(directory);
	return waits;
}

static void *measure_after_main_thread(void *seconds)
{
	sleep(3); // the intervals grow
	long begin = milliseconds(), before = recorder_waits();
	sleep((unsigned)atoi(seconds));
	printf("wakeups %ld milliseconds %ld\n", recorder_waits() - before, milliseconds() - begin);
	return NULL;
}

// The main thread ends first: a successor waits for the other threads.
int probe_main_thread_quiet(int argc, char **argv)
{
	if (argc < 2) return 64;
	probe_start(argv[0], 0);
	qs_record_item_begin(1, 1);
	pthread_t thread;
	if (pthread_create(&thread, NULL, measure_after_main_thread, argv[1]) != 0) return 1;
	pthread_exit(NULL);
}
