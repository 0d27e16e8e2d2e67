// Threads that sleep or run before the recorder has detected them, and for a long time after. The maker names one of
// them after its first event.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "CTraceRecorder.h"
#include "probe.h"

enum {
	RUN_US = 300 * 1000,
	SLEEP_US = 3 * 1000 * 1000, // the recorder opens the thread's ring in this time, also on a busy machine
};

static bool has_begun; // atomic

static void *sleep_at_once(void *unused)
{
	(void)unused;
	qs_record_item_begin(1, 1);
	__atomic_store_n(&has_begun, true, __ATOMIC_RELEASE);
	usleep(SLEEP_US);
	qs_record_item_end(1);
	printf("sleeper %u\n", qs_current_tid());
	return NULL;
}

static int64_t processor_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * 1000 * 1000 + time.tv_nsec / 1000;
}

static void *run_at_once(void *unused)
{
	(void)unused;
	qs_record_item_begin(2, 1);
	while (processor_us() < RUN_US) {}
	qs_record_item_end(2);
	printf("runner %u\n", qs_current_tid());
	return NULL;
}

int probe_first_absence(int argc, char **argv)
{
	(void)argc;
	probe_start(argv[0], 0);
	pthread_t threads[2];
	if (pthread_create(&threads[0], NULL, sleep_at_once, NULL) != 0) abort();
	if (pthread_create(&threads[1], NULL, run_at_once, NULL) != 0) abort();
	while (!__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE)) usleep(1000);
	pthread_setname_np(threads[0], "named later");
	for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
	qs_session_stop();
	return 0;
}
