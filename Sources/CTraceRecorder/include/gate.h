// The gate: the process-wide state that every event reads. It has a cache line of its own, which is written only when a
// session starts or stops, or when the clock or the rate of the items changes.
#ifndef QS_GATE_H
#define QS_GATE_H

#include <stdint.h>

struct qs_gate {
	// Number of the recording session, 0 when no session records. Written by qs_session_start and qs_session_stop only.
	uint32_t epoch;
	// Nonzero when a session records, and no hooks record the calls that the Queuescope library makes into libdispatch.
	uint32_t wrapper_epoch;
	// enum qs_clock_kind: source of the time stamps. Atomic once a session records.
	uint32_t clock_kind;
	// One of this number of items is recorded, a power of two (Events/item_sampling.h); 0: all items are. Atomic.
	uint32_t item_stride;
} __attribute__((aligned(64)));

extern struct qs_gate qs_gate;

#endif
