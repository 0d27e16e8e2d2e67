// Sources: creation, timers, data and cancellation. The hooks of handlers are in source_handlers.c, the hooks for
// sources and queues in lifecycle.c.
#include <stddef.h>
#include <string.h>

#include "callers.h"
#include "deadline.h"
#include "encounters.h"
#include "sources.h"

uint8_t qs_source_type_of(const void *type)
{
	for (uint8_t index = 0; index < sizeof qs_helpers.source_types / sizeof qs_helpers.source_types[0]; index++) {
		if (type != NULL && qs_helpers.source_types[index] == type) return index;
	}
	return qs_source_type_other;
}

bool qs_source_has_handle(uint8_t type)
{
	return type == qs_source_type_read || type == qs_source_type_write || type == qs_source_type_signal
		|| type == qs_source_type_other;
}

enum { STRICT_TIMER = 1 }; // DISPATCH_TIMER_STRICT

// Recorded after the call, because the id is the source's address. A source starts inactive, so no event of it can come
// earlier.
QS_HOOK(void *, dispatch_source_create, (const void *type, uintptr_t handle, uintptr_t mask, void *queue))
{
	void *source = original(dispatch_source_create)(type, handle, mask, queue);
	uint32_t session = qs_definitions_number();
	if (!qs_hook_records() || source == NULL || session == 0) return source;
	struct qs_object_info info;
	memset(&info, 0, offsetof(struct qs_object_info, label) + 1);
	info.kind = qs_object_kind_source;
	info.creation = (uintptr_t)__builtin_return_address(0);
	info.source_type = qs_source_type_of(type);
	// All objects have the target at the same offset as queues.
	const void *target = qs_target(source);
	info.target = target != NULL ? qs_queue_number(target) : 0;
	// For timers and user data the handle has no meaning.
	info.handle = qs_source_has_handle(info.source_type) ? handle : 0;
	if (info.source_type == qs_source_type_timer && (mask & STRICT_TIMER) != 0) info.flags = QS_SOURCE_IS_STRICT;
	info.defined_session = session;
	struct qs_call_site *site = qs_this_call_site();
	qs_record_source_create((uint64_t)(uintptr_t)source, info.source_type, info.handle, info.target, site->code,
		qs_call_site_stack(site), qs_current_tid(), info.flags);
	qs_object_add(source, &info);
	return source;
}

// Recorded before the call, because the timer may fire before it returns. Limits as in libdispatch: an interval of 0
// means 1 ns; an interval that does not fit in INT64_MAX means that the timer does not repeat.
QS_HOOK(void, dispatch_source_set_timer, (void *source, uint64_t start, uint64_t interval, uint64_t leeway))
{
	if (qs_hook_records() && source != NULL) {
		qs_source_encounter(source);
		uint64_t recorded_interval = interval >= INT64_MAX ? 0 : interval == 0 ? 1 : interval;
		uint64_t recorded_leeway = leeway > INT64_MAX ? INT64_MAX : leeway;
		qs_record_timer_configure((uint64_t)(uintptr_t)source, qs_delay_until(start), recorded_interval,
			recorded_leeway, qs_program_caller_code());
	}
	original(dispatch_source_set_timer)(source, start, interval, leeway);
}

// Recorded before the call, because the handler may run before it returns.
QS_HOOK(void, dispatch_source_merge_data, (void *source, uintptr_t value))
{
	if (qs_hook_records() && source != NULL) {
		qs_source_encounter(source);
		qs_record_source_merge((uint64_t)(uintptr_t)source, value, qs_program_caller_code());
	}
	original(dispatch_source_merge_data)(source, value);
}

QS_HOOK(void, dispatch_source_cancel, (void *source))
{
	if (qs_hook_records() && source != NULL) {
		qs_source_encounter(source);
		qs_record_source_cancel((uint64_t)(uintptr_t)source, qs_program_caller_code());
	}
	original(dispatch_source_cancel)(source);
}

QS_HOOK(void, dispatch_source_cancel_and_wait, (void *source))
{
	if (qs_hook_records() && source != NULL) {
		qs_source_encounter(source);
		qs_record_source_cancel((uint64_t)(uintptr_t)source, qs_program_caller_code());
	}
	original(dispatch_source_cancel_and_wait)(source);
}
