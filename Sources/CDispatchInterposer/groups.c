// Groups: create, enter, leave, wait and notify.
//
// libdispatch leaves a group for each of the group's items through its own export, so the hook sees it; it enters them
// without, so the hooks of group_async record that.
#include "callers.h"
#include "groups.h"

#include "recording_items.h"

enum {
	KNOWN_BITS = 16,
	// How far to look for a place.
	KNOWN_PROBES = 16,
};

// Addresses of the program's groups, by hash. Only ever added to: the allocator uses few addresses again and again.
// Zero pages until they are used.
static uintptr_t known[1 << KNOWN_BITS];
static bool has_unknown;

static uintptr_t *known_place(uintptr_t group, unsigned probe)
{
	uint64_t hash = (group >> 4) * 0x9E3779B97F4A7C15u;
	return &known[((hash >> (64 - KNOWN_BITS)) + probe) & ((1u << KNOWN_BITS) - 1)];
}

static void remember(uintptr_t group)
{
	for (unsigned probe = 0; probe < KNOWN_PROBES; probe++) {
		uintptr_t *place = known_place(group, probe);
		uintptr_t found = __atomic_load_n(place, __ATOMIC_RELAXED);
		if (found == group) return;
		if (found != 0) continue;
		if (__atomic_compare_exchange_n(place, &found, group, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
		if (found == group) return;
	}
	// No room: from here on every group counts as the program's.
	__atomic_store_n(&has_unknown, true, __ATOMIC_RELAXED);
}

bool qs_group_is_program_made(const void *group)
{
	for (unsigned probe = 0; probe < KNOWN_PROBES; probe++) {
		uintptr_t found = __atomic_load_n(known_place((uintptr_t)group, probe), __ATOMIC_RELAXED);
		if (found == 0) break;
		if (found == (uintptr_t)group) return true;
	}
	return __atomic_load_n(&has_unknown, __ATOMIC_RELAXED);
}

// Also while no session records: one may start while the group lives.
QS_HOOK(void *, dispatch_group_create, (void))
{
	const void *caller = __builtin_return_address(0);
	void *group = original(dispatch_group_create)();
	if (group == NULL || qs_is_in_libdispatch(caller) || qs_is_in_hooks(caller)) return group;
	remember((uintptr_t)group);
	if (qs_is_recording()) qs_record_group_create((uint64_t)(uintptr_t)group, qs_program_caller_code());
	return group;
}

// Before the call: who waits for the group may go on before the call returns.
QS_HOOK(void, dispatch_group_enter, (void *group))
{
	if (qs_is_recording() && qs_group_is_program_made(group)) qs_record_group_enter((uint64_t)(uintptr_t)group);
	original(dispatch_group_enter)(group);
}

// libdispatch's calls included: they are the ends of items.
QS_HOOK(void, dispatch_group_leave, (void *group))
{
	if (qs_is_recording() && qs_group_is_program_made(group)) qs_record_group_leave((uint64_t)(uintptr_t)group);
	original(dispatch_group_leave)(group);
}

QS_HOOK(intptr_t, dispatch_group_wait, (void *group, uint64_t timeout))
{
	if (!qs_hook_records()) return original(dispatch_group_wait)(group, timeout);
	qs_record_group_wait_begin((uint64_t)(uintptr_t)group, qs_program_caller_code());
	intptr_t result = original(dispatch_group_wait)(group, timeout);
	qs_record_group_wait_end((uint64_t)(uintptr_t)group, result != 0);
	return result;
}

static void record_notify(const void *group, uint64_t item, const void *queue, uint32_t code, bool is_barrier)
{
	qs_record_group_notify((uint64_t)(uintptr_t)group, item, qs_serial(queue), code);
	if (is_barrier) qs_record_item_barrier(item);
}

// Before the call: an empty group submits the notification at once.
QS_HOOK(void, dispatch_group_notify, (void *group, void *queue, void *block))
{
	if (!qs_hook_records() || group == NULL || queue == NULL || block == NULL) {
		original(dispatch_group_notify)(group, queue, block);
		return;
	}
	if (qs_unlikely(qs_block_has_private_data(block))) {
		struct qs_work_item *work = qs_work_item_of(block);
		uint64_t item = work != NULL ? qs_work_item_submit(work, queue, NULL) : 0;
		if (item != 0) {
			record_notify(group, item, queue, qs_work_item_code(work), qs_work_item_is_barrier(work));
			qs_work_item_submitted(work, item);
		}
		original(dispatch_group_notify)(group, queue, block);
		return;
	}
	void *copy = qs_helpers.block_copy(block);
	record_notify(group, (uint64_t)(uintptr_t)copy, queue, qs_block_code(copy), false);
	original(dispatch_group_notify_f)(group, queue, copy, qs_run_block);
}

QS_HOOK(void, dispatch_group_notify_f, (void *group, void *queue, void *context, qs_function_t work))
{
	if (qs_hook_records() && group != NULL && queue != NULL && work != NULL) {
		struct qs_context_node *node = qs_context_node_take(work, context);
		if (node != NULL) {
			bool is_job;
			record_notify(group, (uint64_t)(uintptr_t)node, queue, qs_function_code(work, context, &is_job), false);
			original(dispatch_group_notify_f)(group, queue, node, qs_run_node);
			return;
		}
	}
	original(dispatch_group_notify_f)(group, queue, context, work);
}
