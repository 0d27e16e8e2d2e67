// The sampling of items, and the decisions of the recording budget.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../Sources/CTraceRecorder/Events/item_sampling.h"
#include "../../../Sources/CTraceRecorder/Observers/recording_budget.h"
#include "CTraceRecorder.h"
#include "probe.h"

enum { KINDS = 2, MOST_THREADS = 64 };

static long item_count;
static long recorded[MOST_THREADS][KINDS];

// Submits items of two kinds in turn.
static void *submit(void *number)
{
	long *own = recorded[(intptr_t)number];
	for (long item = 0; item < item_count; item++) {
		if (qs_skips_item()) continue;
		own[item % KINDS] += 1;
		qs_record_callout_begin((uint64_t)item + 1);
		qs_record_callout_end();
	}
	return NULL;
}

// Prints the largest deviation of a thread from the expected number of recorded items, and the number of each kind.
int probe_item_sampling(int argc, char **argv)
{
	if (argc < 4) return 64;
	long threads = atol(argv[1]), stride = atol(argv[3]);
	item_count = atol(argv[2]);
	if (threads > MOST_THREADS) return 64;
	probe_start(argv[0], 0);
	qs_item_sampling_set((uint32_t)stride);
	pthread_t ids[MOST_THREADS];
	for (intptr_t number = 0; number < threads; number++) {
		if (pthread_create(&ids[number], NULL, submit, (void *)number) != 0) return 1;
	}
	long kinds[KINDS] = {0}, deviation = 0;
	for (long number = 0; number < threads; number++) {
		pthread_join(ids[number], NULL);
		long own = 0;
		for (int kind = 0; kind < KINDS; kind++) own += recorded[number][kind];
		for (int kind = 0; kind < KINDS; kind++) kinds[kind] += recorded[number][kind];
		if (labs(own - item_count / stride) > deviation) deviation = labs(own - item_count / stride);
	}
	qs_session_stop();
	printf("deviation %ld first %ld second %ld\n", deviation, kinds[0], kinds[1]);
	return 0;
}

// Prints the numbers of the tasks that are recorded, from 1 on, and how many decisions count as recorded steps.
int probe_task_sampling(int argc, char **argv)
{
	if (argc < 3) return 64;
	probe_start(argv[0], 0);
	qs_record_callout_begin(1); // so that this thread has a stream
	qs_record_callout_end();
	qs_item_sampling_set((uint32_t)atol(argv[1]));
	uint64_t tasks = (uint64_t)atol(argv[2]);
	for (uint64_t task = 1; task <= tasks; task++) {
		if (!qs_skips_task(task)) printf("%llu ", (unsigned long long)task);
	}
	printf("steps %llu\n", (unsigned long long)qs_item_sampling_totals().task_steps);
	qs_session_stop();
	return 0;
}

// Prints the stride after each period of one second, for a process whose recorder would take this part of its processor
// time, in millionths, if it recorded all items.
int probe_budget(int argc, char **argv)
{
	if (argc < 4) return 64;
	struct qs_budget_control control = {.ppm = (uint32_t)atol(argv[0]), .stride = 1};
	const int64_t second_ns = 1000 * 1000 * 1000;
	for (int number = 3; number < argc; number++) {
		struct qs_budget_usage usage = {
			.length_ns = second_ns,
			.process_ns = atol(argv[1]) * 1000 * 1000,
			.other_ns = atol(argv[2]) * 1000 * 1000,
			.items_ns = atol(argv[number]) * 1000 * 1000 / control.stride,
		};
		printf("%u%s", qs_budget_next_stride(&control, &usage), number + 1 < argc ? " " : "\n");
	}
	return 0;
}
