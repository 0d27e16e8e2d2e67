// Budget for recording context switches, a token bucket: 1.5 % of the processors that the process may use, and at least
// 3 % of one processor.
//
//	allowance      a ┤▔▔╲      ╱▔▔
//	          second │   ╲    ╱        spent by records, refilled with time
//	         reserve ┤    ╲ ┌╱
//	               0 ┤────╲│┘─────
//	                    hot threads paused, for a second and more
//
// A burst may spend the budget of one second. When the allowance is used up, the threads with the most switches are
// paused until it would be full again. The other threads get a reserve at once, so that their few switches do not
// exhaust the allowance a second time.
#ifndef QS_SWITCH_BUDGET_H
#define QS_SWITCH_BUDGET_H

#include <stdint.h>

#include "../System/processors.h"

struct qs_switch_budget {
	int64_t share;        // millionths of a processor
	int64_t full_share;   // without a limit
	int64_t allowance_ns; // at most the budget of one second
	int64_t refilled_ns;  // CLOCK_MONOTONIC
};

// Time that the kernel spends within a context switch on one record. Half of the additional cost of a switch with an
// event: 1.5 to 1.7 µs for a thread's switches out and in (switch_ring.h). Tests set it.
extern int64_t qs_switch_record_cost_ns;

// Starts with a full allowance.
void qs_switch_budget_start(struct qs_switch_budget *budget, const struct qs_processors *processors, int64_t now_ns);

// Limits the share of a processor, in millionths. A later call replaces the limit.
void qs_switch_budget_limit(struct qs_switch_budget *budget, int64_t share);

// Charges the cost of these records in the kernel, and the reader's own processor time. Returns 0 while the allowance
// lasts. Otherwise returns the nanoseconds for which recording must pause to refill the allowance, and gives the
// threads that are not paused the reserve.
int64_t qs_switch_budget_spend(struct qs_switch_budget *budget, int64_t now_ns, uint64_t records, int64_t reader_ns);

#endif
