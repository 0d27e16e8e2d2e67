// What recording context switches may cost: 1.5 % of the processors that the process may use, and at least 3 % of one,
// as a token bucket.
//
//	allowance      a ┤▔▔╲      ╱▔▔
//	          second │   ╲    ╱        spent by records, refilled with time
//	               0 ┤────╲──╱─────
//	                    hot threads paused, for a second and more
//
// A burst may spend what a second refills. When the allowance is spent the hottest threads are paused until it would be
// full again.
#ifndef QS_SWITCH_BUDGET_H
#define QS_SWITCH_BUDGET_H

#include <stdint.h>

#include "processors.h"

struct qs_switch_budget {
	int64_t share;        // thousandths of a processor
	int64_t allowance_ns; // at most what a second gives
	int64_t refilled_ns;  // CLOCK_MONOTONIC
};

// What the kernel does within a context switch for one record. Half of what a switch costs more with an event: 1.5 to
// 1.7 µs for a thread's way out and in (switch_ring.h). Tests set it.
extern int64_t qs_switch_record_cost_ns;

// Starts with a full allowance.
void qs_switch_budget_start(struct qs_switch_budget *budget, const struct qs_processors *processors, int64_t now_ns);

// Spends what so many records cost the kernel, and the reader's own processor time. Returns 0 while there is an
// allowance; otherwise how long recording must pause to have the full allowance again, in nanoseconds, and the budget
// starts anew for the threads that stay.
int64_t qs_switch_budget_spend(struct qs_switch_budget *budget, int64_t now_ns, uint64_t records, int64_t reader_ns);

#endif
