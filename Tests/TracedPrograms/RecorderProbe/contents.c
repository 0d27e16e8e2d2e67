// Contents of events, and allocations that recording must not make.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CTraceRecorder.h"
#include "probe.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);

static unsigned long allocations;

// Counts the allocations of the whole process, including the recorder.
void *malloc(size_t size)
{
	__atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	__atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
	return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size)
{
	__atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
	return __libc_realloc(pointer, size);
}

int probe_allocations(int argc, char **argv)
{
	if (argc < 2) return 64;
	long events = atol(argv[1]);
	probe_start(argv[0], 0);
	// Verifies that the counter works.
	unsigned long start = allocations;
	void *volatile kept = malloc(1);
	free(kept);
	unsigned long counted = allocations - start;
	qs_record_item_begin(1, 17); // the first event of a thread opens its stream
	start = allocations;
	for (long index = 0; index < events; index++) {
		uint64_t item = qs_new_item();
		uint32_t code = qs_code_site("Module/File.swift", 17, (uint32_t)(index % 100 + 1));
		qs_record_item_enqueue(item, 17, code, qs_item_kind_async, 0);
		qs_record_item_begin(item, 17);
		qs_record_item_end(item);
		qs_record_signpost_event(item, 1, code, "message", 7);
	}
	unsigned long during = allocations - start;
	qs_session_stop();
	printf("control %lu events %ld allocations %lu\n", counted, 4 * events, during);
	return 0;
}

int probe_strings(int argc, char **argv)
{
	(void)argc;
	static char text[200 * 1024];
	memset(text, 'x', sizeof text);
	probe_start(argv[0], 0);
	qs_record_signpost_event(1, 1, 1, "", 0);
	qs_record_signpost_event(2, 1, 1, text, 10 * 1024);
	qs_record_signpost_event(3, 1, 1, text, sizeof text);                    // cut
	qs_record_signpost_event(4, 1, 1, "before\0after", 12);                  // ends at the NUL
	qs_record_signpost_event(5, 1, 1, "</script>\"\n\xE2\x80\xAE\xFF", 15);  // kept byte for byte
	for (int index = 0; index < 1000; index++) qs_record_signpost_event(6, 1, 1, text, (size_t)(index * 17));
	return qs_session_stop() == 0 ? 0 : 1;
}
