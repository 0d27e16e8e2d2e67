// Keeps the recorder's processor time within a share of the process's, by sampling items and tasks
// (Events/item_sampling.h).
//
//	share of the    │   ╱╲
//	processor time  │  ╱  ╲
//	        budget ─┤─╱────╲──────────────────────
//	    2/5 budget ─┤╱──────╲__________╱‾‾‾‾╲_____    half of the budget: the headroom of a doubled cost
//	        stride  1  1  4    4   4   2    2   2
//
// Once a second the observer computes the cost: the recorder thread's own processor time, the events of the program's
// threads at a calibrated price, and the kernel's work for context switches. Above the budget it multiplies the stride
// by as many powers of two as the excess needs. Below two fifths of the budget for three seconds it halves the stride;
// the cost then at most doubles and stays within the budget. Each change is a `sampling_rate`. The processor track gets
// at most half of the budget. The recorder may always use a thousandth of one processor.
//
// Events of locks and groups are not sampled. They leave at least a quarter of the budget to the items and tasks. So a
// program with many such events exceeds the budget, and keeps its items.
//
// Not measured: the hook of a skipped item or step of a task, some nanoseconds each.
#ifndef QS_RECORDING_BUDGET_H
#define QS_RECORDING_BUDGET_H

#include <stdint.h>

#include "observer.h"

enum { QS_BUDGET_WHOLE = 1000 * 1000 }; // shares are in millionths

extern const struct qs_observer qs_budget_observer;

// Writes the cost of the whole session into the trace, if the session has a budget or a rate. Does nothing on a
// sandboxed thread. Context: the session records; any thread.
void qs_budget_record_stop(void);

// Processor time within one period, or since the start of the session.
struct qs_budget_usage {
	int64_t length_ns;
	int64_t process_ns; // of the process, including the recorder
	int64_t items_ns;   // the recorder's, in proportion to the recorded items and tasks
	int64_t other_ns;   // the recorder's, independent of the stride
};

struct qs_budget_control {
	uint32_t ppm;
	uint32_t stride;
	uint32_t calm; // consecutive periods with a cost of less than two fifths of the budget
};

// Returns the stride for the next period, and changes the control. Context: any; no side effects.
uint32_t qs_budget_next_stride(struct qs_budget_control *control, const struct qs_budget_usage *usage);

// The recorder's share in millionths.
uint32_t qs_budget_cost_ppm(const struct qs_budget_usage *usage);

#endif
