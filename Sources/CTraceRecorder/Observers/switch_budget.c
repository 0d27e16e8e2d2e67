#include "switch_budget.h"

int64_t qs_switch_record_cost_ns = 800;

enum {
	LEAST_PROCESSORS = 2,    // a service on one processor must not exhaust its budget twice as fast
	SHARE_PER_PROCESSOR = 15000, // millionths
	MILLI = 1000,
	MICRO = 1000 * 1000,
	SECOND_NS = 1000 * 1000 * 1000,
	LEAST_SHARE = 500, // half a millisecond a second, half of what a recorder with a budget may always use
	RESERVE = 4, // the part of a full allowance that the other threads get at the start of a pause
};

static int64_t full_allowance_ns(const struct qs_switch_budget *budget)
{
	return budget->share * (SECOND_NS / MICRO);
}

static int64_t share(const struct qs_processors *processors)
{
	int64_t milli = (int64_t)processors->allowed * MILLI;
	if (processors->quota_milli != 0 && processors->quota_milli < milli) milli = processors->quota_milli;
	if (milli < LEAST_PROCESSORS * MILLI) milli = LEAST_PROCESSORS * MILLI;
	return milli * SHARE_PER_PROCESSOR / MILLI;
}

void qs_switch_budget_start(struct qs_switch_budget *budget, const struct qs_processors *processors, int64_t now_ns)
{
	budget->share = budget->full_share = share(processors);
	budget->allowance_ns = full_allowance_ns(budget);
	budget->refilled_ns = now_ns;
}

void qs_switch_budget_limit(struct qs_switch_budget *budget, int64_t share)
{
	if (share < LEAST_SHARE) share = LEAST_SHARE;
	budget->share = share < budget->full_share ? share : budget->full_share;
	int64_t full_ns = full_allowance_ns(budget);
	if (budget->allowance_ns > full_ns) budget->allowance_ns = full_ns;
}

int64_t qs_switch_budget_spend(struct qs_switch_budget *budget, int64_t now_ns, uint64_t records, int64_t reader_ns)
{
	int64_t full_ns = full_allowance_ns(budget);
	// The allowance of a second is full, also after a time in which the process was stopped.
	int64_t elapsed_ns = now_ns - budget->refilled_ns;
	if (elapsed_ns > SECOND_NS) elapsed_ns = SECOND_NS;
	int64_t refill_ns = elapsed_ns * budget->share / MICRO;
	budget->refilled_ns = now_ns;
	budget->allowance_ns += refill_ns - (int64_t)records * qs_switch_record_cost_ns - reader_ns;
	if (budget->allowance_ns > full_ns) budget->allowance_ns = full_ns;
	if (budget->allowance_ns >= 0) return 0;
	int64_t overdraft_ns = -budget->allowance_ns;
	// The pause of the hot threads pays the overdraft and the reserve back. Without a reserve, one switch of a quiet
	// thread would exhaust the allowance again, and pause that thread too.
	budget->allowance_ns = full_ns / RESERVE;
	return (full_ns + overdraft_ns + budget->allowance_ns) * MICRO / budget->share;
}
