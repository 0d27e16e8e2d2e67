// Snapshots that end while items run.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../Sources/CTraceRecorder/Events/clock.h"
#include "CTraceRecorder.h"
#include "probe.h"

// MARK: Injected times

static uint64_t now = 1000;

static uint64_t injected(void)
{
	return now;
}

static void *run_second_item(void *unused)
{
	now = 1030;
	qs_record_item_begin(2, 17);
	now = 1060;
	qs_record_item_end(2);
	return unused;
}

static int start(const char *directory, const char *mode)
{
	struct qs_session_options options = {.without_processors = true, .is_flight = mode[0] == 'f'};
	if (options.is_flight) options.memory = 64 << 20;
	return qs_session_start(directory, &options, NULL);
}

// Items 2 and 3 end after the snapshot was requested, and before it is written. The last event has an extended header.
int probe_snapshot_end(int argc, char **argv)
{
	if (argc < 2) return 64;
	qs_clock_injected = injected;
	qs_gate.clock_kind = QS_CLOCK_INJECTED;
	if (start(argv[0], argv[1]) != QS_SESSION_OK) return 3;
	now = 1010;
	qs_record_item_begin(1, 17);
	now = 1020;
	qs_record_item_end(1);
	pthread_t thread;
	if (pthread_create(&thread, NULL, run_second_item, NULL) != 0) return 1;
	pthread_join(thread, NULL);
	now = 1040;
	qs_record_item_begin(3, 17);
	now = 0x200000000;
	qs_record_item_end(3);
	now = 1050;
	struct qs_snapshot_result result;
	if (qs_session_snapshot(NULL, NULL, &result) != QS_SNAPSHOT_OK) return 1;
	printf("%s\n", result.directory);
	now = 0x200000000;
	qs_session_stop();
	return 0;
}

// MARK: Threads that hand a serial queue to each other

enum { MOST_THREADS = 64, LEAST_ITEMS = 200 };

static sem_t turns[MOST_THREADS];
static uintptr_t thread_count;
static uint64_t items;   // atomic; the thread whose turn it is writes it
static bool is_stopping; // atomic

static void *run_items(void *argument)
{
	uintptr_t own = (uintptr_t)argument;
	for (;;) {
		while (sem_wait(&turns[own]) != 0) {}
		if (__atomic_load_n(&is_stopping, __ATOMIC_RELAXED)) break;
		uint64_t item = __atomic_add_fetch(&items, 1, __ATOMIC_RELAXED);
		qs_record_item_begin(item, 17);
		qs_record_item_end(item);
		sem_post(&turns[(own + 1) % thread_count]);
	}
	sem_post(&turns[(own + 1) % thread_count]);
	return NULL;
}

// Takes a snapshot. The disk of a busy machine can need longer for one than a program waits.
static bool take(struct qs_snapshot_result *result)
{
	int status = QS_SNAPSHOT_TIMEOUT;
	for (int turn = 0; status == QS_SNAPSHOT_TIMEOUT && turn < 10; turn++) {
		status = qs_session_snapshot(NULL, NULL, result);
	}
	if (status != QS_SNAPSHOT_OK) fprintf(stderr, "no snapshot: %d, errno %d\n", status, result->system_error);
	return status == QS_SNAPSHOT_OK;
}

// Each item runs on another thread than the one before. Prints the directory of each snapshot.
int probe_snapshots(int argc, char **argv)
{
	if (argc < 4) return 64;
	thread_count = (uintptr_t)atoi(argv[1]);
	if (thread_count > MOST_THREADS || start(argv[0], argv[3]) != QS_SESSION_OK) return 3;
	pthread_t threads[MOST_THREADS];
	for (uintptr_t index = 0; index < thread_count; index++) {
		sem_init(&turns[index], 0, 0);
		if (pthread_create(&threads[index], NULL, run_items, (void *)index) != 0) return 1;
	}
	sem_post(&turns[0]);
	for (int snapshot = 0; snapshot < atoi(argv[2]); snapshot++) {
		uint64_t before = __atomic_load_n(&items, __ATOMIC_RELAXED);
		while (__atomic_load_n(&items, __ATOMIC_RELAXED) < before + LEAST_ITEMS) sched_yield();
		struct qs_snapshot_result result;
		if (!take(&result)) return 1;
		printf("%s\n", result.directory);
	}
	__atomic_store_n(&is_stopping, true, __ATOMIC_RELAXED);
	for (uintptr_t index = 0; index < thread_count; index++) pthread_join(threads[index], NULL);
	qs_session_stop();
	return 0;
}
