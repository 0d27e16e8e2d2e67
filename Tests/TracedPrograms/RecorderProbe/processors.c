// The processors that the recorder assumes for its process, and the number of context switches that it records there.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../Sources/CTraceRecorder/System/processors.h"
#include "../../../Sources/CTraceRecorder/Observers/switch_budget.h"
#include "CTraceRecorder.h"
#include "probe.h"

static void print(const char *root)
{
	struct qs_processors processors = qs_processors_read(root);
	printf("online %u allowed %u quota %u\n", processors.online, processors.allowed, processors.quota_milli);
}

int probe_processors(int argc, char **argv)
{
	(void)argc;
	print(argv[0]);
	return 0;
}

int probe_one_processor(int argc, char **argv)
{
	(void)argc;
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
	int first = 0;
	while (first < CPU_SETSIZE && !CPU_ISSET(first, &set)) first++;
	CPU_ZERO(&set);
	CPU_SET(first, &set);
	if (sched_setaffinity(0, sizeof set, &set) != 0) return 1;
	print("");
	probe_start(argv[0], 0);
	qs_record_item_begin(1, 17);
	qs_session_stop();
	return 0;
}

// Prints the size of a burst and the length of the following pause for a process with these processors.
int probe_switch_budget(int argc, char **argv)
{
	if (argc < 2) return 64;
	struct qs_processors processors = {.allowed = (uint32_t)atol(argv[0]), .quota_milli = (uint32_t)atol(argv[1])};
	struct qs_switch_budget budget;
	qs_switch_budget_start(&budget, &processors, 0);
	long records = 0, reserve = 0;
	int64_t pause_ns = 0;
	while (pause_ns == 0) {
		pause_ns = qs_switch_budget_spend(&budget, 0, 1, 0);
		records += 1;
	}
	struct qs_switch_budget others = budget;
	while (qs_switch_budget_spend(&others, 0, 1, 0) == 0) reserve += 1;
	printf("records %ld pause %ld reserve %ld again %d\n", records, (long)(pause_ns / 1000000), reserve,
		qs_switch_budget_spend(&budget, pause_ns, (uint64_t)records - 1, 0) == 0);
	return 0;
}
