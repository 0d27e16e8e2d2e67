// Many concurrent producers and a limit that forces the drop path. Prints the numbers of attempted and discarded
// events.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "CTraceRecorder.h"
#include "probe.h"

static long events_per_thread;

static void *produce(void *argument)
{
	uint64_t thread = (uint64_t)(uintptr_t)argument;
	for (long index = 0; index < events_per_thread; index++) qs_record_item_begin(thread << 32 | (uint64_t)index, 17);
	return NULL;
}

int probe_producers(int argc, char **argv)
{
	if (argc < 4) return 64;
	int count = atoi(argv[1]);
	events_per_thread = atol(argv[2]);
	probe_start(argv[0], strtoull(argv[3], NULL, 10));
	pthread_t threads[256];
	if (count > 256) return 64;
	for (int index = 0; index < count; index++) {
		pthread_create(&threads[index], NULL, produce, (void *)(uintptr_t)(index + 1));
	}
	for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
	uint64_t discarded = qs_session_stop();
	printf("attempted %ld discarded %lu\n", (long)count * events_per_thread, (unsigned long)discarded);
	return 0;
}
