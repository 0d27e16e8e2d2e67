// A program that does nothing for some time, and then records again.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/stream.h"
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
	long begin = milliseconds(), before = probe_voluntary_switches(tid);
	sleep((unsigned)atoi(argv[1]));
	long wakeups = probe_voluntary_switches(tid) - before, time = milliseconds() - begin;
	bool was_quiet = qs_streams_are_quiet();
	qs_record_item_end(1);
	printf("wakeups %ld milliseconds %ld quiet %d active %d\n", wakeups, time, was_quiet, !qs_streams_are_quiet());
	qs_session_stop();
	return 0;
}
