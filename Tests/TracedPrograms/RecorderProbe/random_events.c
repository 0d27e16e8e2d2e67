// Random events of several classes. Prints the recorded events, which the test compares with the trace.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "CTraceRecorder.h"
#include "probe.h"

static void record_one(uint64_t *state)
{
	uint64_t a = probe_random(state) & 0xFFFFFFFFFFFF;
	uint32_t b = (uint32_t)probe_random(state);
	uint32_t c = (uint32_t)probe_random(state);
	switch (probe_random(state) % 6) {
	case 0:
		qs_record_item_enqueue(a, b, c, (uint8_t)(c % 12), qs_qos_class_default);
		printf("item_enqueue %" PRIu64 " %u %u %u 21\n", a, b, c, c % 12);
		return;
	case 1:
		qs_record_item_begin(a, b);
		printf("item_begin %" PRIu64 " %u\n", a, b);
		return;
	case 2:
		qs_record_item_end(a);
		printf("item_end %" PRIu64 "\n", a);
		return;
	case 3:
		qs_record_item_delay(a, (uint64_t)b << 20);
		printf("item_delay %" PRIu64 " %" PRIu64 "\n", a, (uint64_t)b << 20);
		return;
	case 4: {
		char text[256];
		size_t length = c % sizeof text;
		for (size_t index = 0; index < length; index++) text[index] = (char)('a' + (b + index) % 26);
		qs_record_signpost_begin(a, 1, b, text, length);
		printf("signpost_begin %" PRIu64 " 1 %u %.*s\n", a, b, (int)length, text);
		return;
	}
	default:
		qs_record_semaphore_create(a, -(int64_t)c, b);
		printf("semaphore_create %" PRIu64 " -%u %u\n", a, c, b);
	}
}

int probe_random_events(int argc, char **argv)
{
	if (argc < 3) return 64;
	uint64_t state = strtoull(argv[1], NULL, 10);
	long count = atol(argv[2]);
	probe_start(argv[0], 0);
	for (long index = 0; index < count; index++) record_one(&state);
	return qs_session_stop() == 0 ? 0 : 1;
}
