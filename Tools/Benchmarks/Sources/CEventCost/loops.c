#include "CEventCost.h"

#include <string.h>
#include <CTraceRecorder.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

static inline uint64_t counter(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#else
	uint64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#endif
}

void bench_floor(int64_t count)
{
	enum { SIZE = 64 * 1024 };
	static unsigned char buffer[SIZE] __attribute__((aligned(64)));
	size_t offset = 0;
	for (int64_t index = 0; index < count; index++) {
		uint64_t record[4] = {counter(), (uint64_t)index, 17, 0};
		memcpy(buffer + offset, record, sizeof record);
		__asm__ volatile("" ::: "memory");
		offset = (offset + sizeof record) % SIZE;
	}
}

void bench_item_begin(int64_t count)
{
	for (int64_t index = 0; index < count; index++) qs_record_item_begin((uint64_t)index, 17);
}

void bench_item(int64_t count)
{
	for (int64_t index = 0; index < count; index++) {
		uint64_t item = qs_new_item();
		qs_record_item_enqueue(item, 17, 5, qs_item_kind_async, qs_qos_class_default);
		qs_record_item_begin(item, 17);
		qs_record_item_end(item);
	}
}

void bench_is_recording(int64_t count)
{
	for (int64_t index = 0; index < count; index++) {
		if (__builtin_expect(qs_is_recording(), 0)) qs_record_item_end((uint64_t)index);
		__asm__ volatile("" ::: "memory");
	}
}

void bench_empty(int64_t count)
{
	for (int64_t index = 0; index < count; index++) __asm__ volatile("" ::: "memory");
}
