#include "switch_budget.h"

int64_t qs_switch_record_cost_ns = 800;

void qs_switch_budget_start(struct qs_switch_budget *budget, int64_t now_ns)
{
	budget->allowance_ns = QS_SWITCH_ALLOWANCE_NS;
	budget->refilled_ns = now_ns;
}

int64_t qs_switch_budget_spend(struct qs_switch_budget *budget, int64_t now_ns, uint64_t records, int64_t reader_ns)
{
	int64_t refill = (now_ns - budget->refilled_ns) / QS_SWITCH_SHARE;
	budget->refilled_ns = now_ns;
	budget->allowance_ns += refill - (int64_t)records * qs_switch_record_cost_ns - reader_ns;
	if (budget->allowance_ns > QS_SWITCH_ALLOWANCE_NS) budget->allowance_ns = QS_SWITCH_ALLOWANCE_NS;
	if (budget->allowance_ns >= 0) return 0;
	int64_t overdraft = -budget->allowance_ns;
	// The paused threads pay it back with time. The others shall not be paused for it.
	budget->allowance_ns = 0;
	return (QS_SWITCH_ALLOWANCE_NS + overdraft) * QS_SWITCH_SHARE;
}
