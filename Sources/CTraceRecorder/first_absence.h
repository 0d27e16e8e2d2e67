// Whether a thread was off its processor already when its ring was opened. The kernel records nothing of that before
// the thread comes back, which may be seconds later.
//
//	thread   ├─runs─┤ ············ blocked ············ ├─runs─
//	ring              opened │ (first absence)          switch_in
#ifndef QS_FIRST_ABSENCE_H
#define QS_FIRST_ABSENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "blocked_calls.h"
#include "switch_ring.h"

struct qs_first_absence {
	int64_t opened_ns; // CLOCK_MONOTONIC; 0 when the ring has given a record, which tells of all absences after it
	enum qs_thread_state state; // soon after
};

// The thread's ring has just been opened. Asks the thread how it is, unless it must not be asked. Costs one small file
// of /proc.
struct qs_first_absence qs_first_absence_ask(uint32_t tid, bool may_ask);

// Puts in front of a ring's first record, or where it has none, the switch that came too early for it: the thread's
// first record says that it is back, or it was found blocked and has no record. Then it was away from the opening on,
// as a ring loses nothing in between. Not before `last_ns`. Returns whether there is a record.
bool qs_first_absence_put(
	const struct qs_first_absence *first, int64_t last_ns, bool has_record, struct qs_switch_record *record);

#endif
