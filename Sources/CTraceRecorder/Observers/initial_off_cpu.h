// Off-CPU time of a thread that began before its ring was opened. The kernel writes no record for it until the thread
// runs again, which can be seconds later.
//
//	thread   ├─runs─┤ ············ blocked ············ ├─runs─
//	ring              opened │ (initial off-CPU time)   switch_in
#ifndef QS_INITIAL_OFF_CPU_H
#define QS_INITIAL_OFF_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "blocked_calls.h"
#include "switch_ring.h"

struct qs_initial_off_cpu {
	int64_t opened_ns; // CLOCK_MONOTONIC; 0 after the first record of the ring, which covers all later off-CPU times
	enum qs_thread_state state; // of the thread, shortly after the ring was opened
};

// Call directly after the thread's ring was opened. Reads the state of the thread, unless `may_read` is false. Reads
// one small file of /proc.
struct qs_initial_off_cpu qs_initial_off_cpu_read(uint32_t tid, bool may_read);

// Inserts the missing switch-out before a ring's first record. The thread was off-CPU since the ring was opened if its
// first record is a switch-in, or if it was blocked and has no record. The inserted record is not earlier than
// `last_ns`. Returns whether there is a record.
bool qs_initial_off_cpu_insert(
	const struct qs_initial_off_cpu *initial, int64_t last_ns, bool has_record, struct qs_switch_record *record);

#endif
