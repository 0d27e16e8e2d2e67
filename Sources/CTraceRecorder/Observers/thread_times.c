#define _GNU_SOURCE
#include "thread_times.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../Events/recorder.h"
#include "../System/system_clock.h"
#include "../System/task_list.h"
#include "CTraceRecorder.h"

static const uint64_t UNKNOWN_DELAY = UINT64_MAX; // the reader's marker for an unknown delay

struct thread_times {
	uint64_t on_cpu;    // nanoseconds
	uint64_t run_delay; // nanoseconds
	uint64_t slices;
};

static bool read_times(uint32_t tid, struct thread_times *times)
{
	char path[48];
	snprintf(path, sizeof path, "/proc/self/task/%u/schedstat", tid);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	char text[96];
	ssize_t count = read(file, text, sizeof text - 1);
	close(file);
	if (count <= 0) return false;
	text[count] = 0;
	char *rest = text;
	times->on_cpu = strtoull(rest, &rest, 10);
	times->run_delay = strtoull(rest, &rest, 10);
	times->slices = strtoull(rest, &rest, 10);
	return times->slices != 0; // a kernel without these statistics writes zeros
}

void qs_thread_times_record(uint32_t tid)
{
	struct thread_times times;
	if (read_times(tid, &times)) qs_record_thread_times(tid, times.on_cpu, times.run_delay, times.slices);
}

bool qs_thread_times_exist(void)
{
	struct thread_times times;
	return read_times(qs_current_tid(), &times);
}

void qs_thread_times_record_own(void)
{
	// A thread under a seccomp filter may be killed for a system call.
	if (prctl(PR_GET_SECCOMP) != 0) return;
	struct rusage usage;
	if (getrusage(RUSAGE_THREAD, &usage) != 0) return;
	// Without a file, whose descriptor number would be visible to the program. No other source has the delay. A time
	// slice starts after each context switch, and at the thread's start.
	uint64_t on_cpu = (uint64_t)qs_clock_system(CLOCK_THREAD_CPUTIME_ID);
	uint64_t slices = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw + 1;
	qs_record_thread_times(qs_current_tid(), on_cpu, UNKNOWN_DELAY, slices);
}

static void record_but(uint32_t tid, void *but_tid)
{
	if (tid != *(uint32_t *)but_tid && !qs_recorder_owns(tid)) qs_thread_times_record(tid);
}

void qs_thread_times_record_all(uint32_t but_tid)
{
	qs_tasks_visit(record_but, &but_tid);
}
