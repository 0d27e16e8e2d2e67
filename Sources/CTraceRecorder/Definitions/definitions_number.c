#include "definitions_number.h"

#include "CTraceRecorder.h"

static uint32_t number; // atomic: counts sessions, LTTng statedumps and generations

void qs_definitions_begin(void)
{
	__atomic_fetch_add(&number, 1, __ATOMIC_RELAXED);
}

uint32_t qs_definitions_number(void)
{
	return qs_is_recording() ? __atomic_load_n(&number, __ATOMIC_RELAXED) : 0;
}
