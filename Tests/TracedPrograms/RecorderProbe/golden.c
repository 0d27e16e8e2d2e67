// Events at injected times, so that all bytes of the stream are fixed.
#include <stddef.h>

#include "../../../Sources/CTraceRecorder/Events/clock.h"
#include "CTraceRecorder.h"
#include "probe.h"

static uint64_t now = 0x1122334400;

static uint64_t injected(void)
{
	return now;
}

int probe_golden(int argc, char **argv)
{
	(void)argc;
	qs_clock_injected = injected;
	qs_gate.clock_kind = QS_CLOCK_INJECTED;
	probe_start(argv[0], 0);
	now += 0x10;
	const uint64_t queue = 0xB1B2B3B4B5B6;
	qs_record_item_enqueue(0xA1A2A3A4A5A6, queue, 5, qs_item_kind_sync, qs_qos_class_utility);
	now += 0x10;
	qs_record_item_begin(0xA1A2A3A4A5A6, queue);
	now += 0x200000000; // does not fit in 32 bits: an extended header
	qs_record_item_end(0xA1A2A3A4A5A6);
	now += 1;
	qs_record_signpost_event(7, 1, 2, "hello", 5);
	qs_session_stop();
	return 0;
}
