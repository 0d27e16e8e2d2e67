#include "initial_off_cpu.h"

#include <time.h>

#include "../System/system_clock.h"

struct qs_initial_off_cpu qs_initial_off_cpu_read(uint32_t tid, bool may_read)
{
	return (struct qs_initial_off_cpu){
		.opened_ns = qs_clock_system(CLOCK_MONOTONIC),
		.state = may_read ? qs_thread_state_read(tid) : QS_THREAD_UNKNOWN,
	};
}

bool qs_initial_off_cpu_insert(
	const struct qs_initial_off_cpu *initial, int64_t last_ns, bool has_record, struct qs_switch_record *record)
{
	if (initial->opened_ns == 0 || initial->state == QS_THREAD_UNKNOWN) return has_record;
	bool is_away = has_record ? record->kind == QS_SWITCH_IN : initial->state == QS_THREAD_BLOCKED;
	int64_t time_ns = initial->opened_ns > last_ns ? initial->opened_ns : last_ns;
	if (!is_away || (has_record && record->time_ns <= time_ns)) return has_record;
	*record = (struct qs_switch_record){
		.kind = initial->state == QS_THREAD_BLOCKED ? QS_SWITCH_BLOCKED : QS_SWITCH_PREEMPTED,
		.processor = QS_UNKNOWN_PROCESSOR,
		.time_ns = time_ns,
	};
	return true;
}
