// What the recorder takes for the processors that its process may use.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>

#include "../../../Sources/CTraceRecorder/processors.h"
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
