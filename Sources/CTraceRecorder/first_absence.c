#include "first_absence.h"

#include <time.h>

#include "clock.h"

struct qs_first_absence qs_first_absence_ask(uint32_t tid, bool may_ask)
{
	return (struct qs_first_absence){
		.opened_ns = qs_clock_system(CLOCK_MONOTONIC),
		.state = may_ask ? qs_thread_state_read(tid) : QS_THREAD_UNKNOWN,
	};
}

bool qs_first_absence_put(
	const struct qs_first_absence *first, int64_t last_ns, bool has_record, struct qs_switch_record *record)
{
	if (first->opened_ns == 0 || first->state == QS_THREAD_UNKNOWN) return has_record;
	bool is_away = has_record ? record->kind == QS_SWITCH_IN : first->state == QS_THREAD_BLOCKED;
	int64_t time_ns = first->opened_ns > last_ns ? first->opened_ns : last_ns;
	if (!is_away || (has_record && record->time_ns <= time_ns)) return has_record;
	*record = (struct qs_switch_record){
		.kind = first->state == QS_THREAD_BLOCKED ? QS_SWITCH_BLOCKED : QS_SWITCH_PREEMPTED,
		.processor = QS_UNKNOWN_PROCESSOR,
		.time_ns = time_ns,
	};
	return true;
}
