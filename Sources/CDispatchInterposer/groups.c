// Groups: create, enter, leave, wait and notify.
//
// libdispatch leaves a group through its exported function when an item of the group ends, so the hook sees the call.
// It enters the group without calling the exported function, so the hooks of group_async record the enter.
#include "callers.h"
#include "groups.h"
#include "known_groups.h"
#include "object_header.h"
#include "recording_items.h"

// A group without references of the program is freed when it becomes empty, and its address may be reused at once. To
// remove the entry at the right time, a thread that may be the last user of the group holds an internal libdispatch
// reference during the call. The program cannot see this reference.
static void retain_internal(void *group)
{
	__atomic_fetch_add(&((struct qs_object_header *)group)->references, 1, __ATOMIC_RELAXED);
}

static void release_internal(void *group)
{
	if (qs_references_drop(&((struct qs_object_header *)group)->references)) return;
	qs_known_groups_remove(group);
	qs_helpers.object_release_internal(group);
}

// Without all of these, the hooks cannot determine when a group is freed.
static bool can_follow_groups(void)
{
	return qs_object_types_are_known() && qs_helpers.object_release_internal != NULL;
}

bool qs_is_group(const void *object)
{
	return can_follow_groups() && qs_object_type(object) == QS_TYPE_GROUP;
}

void qs_group_encounter(const void *group)
{
	if (!qs_known_groups_contain(group) && qs_is_group(group)) qs_known_groups_add(group);
}

bool qs_group_release_begin(void *group)
{
	if (!qs_known_groups_contain(group)) return false;
	retain_internal(group);
	return true;
}

void qs_group_release_end(void *group)
{
	release_internal(group);
}

QS_HOOK(void *, dispatch_group_create, (void))
{
	void *group = original(dispatch_group_create)();
	if (!qs_hook_records() || group == NULL) return group;
	if (can_follow_groups()) qs_known_groups_add(group);
	qs_record_group_create((uint64_t)(uintptr_t)group, qs_program_caller_code());
	return group;
}

// Recorded before the call: a thread that waits for the group may continue before the call returns.
QS_HOOK(void, dispatch_group_enter, (void *group))
{
	if (qs_is_recording()) {
		if (qs_hook_records() && group != NULL) qs_group_encounter(group);
		if (qs_known_groups_contain(group)) qs_record_group_enter((uint64_t)(uintptr_t)group);
	}
	original(dispatch_group_enter)(group);
}

// Calls from libdispatch are recorded too: they mark the ends of items. A group that the program has not used in this
// session may be an internal one.
QS_HOOK(void, dispatch_group_leave, (void *group))
{
	if (qs_hook_records() && group != NULL) qs_group_encounter(group);
	if (!qs_is_recording() || !qs_known_groups_contain(group)) {
		original(dispatch_group_leave)(group);
		return;
	}
	qs_record_group_leave((uint64_t)(uintptr_t)group);
	retain_internal(group);
	original(dispatch_group_leave)(group);
	release_internal(group);
}

QS_HOOK(intptr_t, dispatch_group_wait, (void *group, uint64_t timeout))
{
	if (!qs_hook_records() || group == NULL) return original(dispatch_group_wait)(group, timeout);
	qs_group_encounter(group);
	qs_record_group_wait_begin((uint64_t)(uintptr_t)group, qs_program_caller_code());
	intptr_t result = original(dispatch_group_wait)(group, timeout);
	qs_record_group_wait_end((uint64_t)(uintptr_t)group, result != 0);
	return result;
}

static void record_notify(const void *group, uint64_t item, const void *queue, uint32_t code, bool is_barrier)
{
	qs_group_encounter(group);
	qs_record_group_notify((uint64_t)(uintptr_t)group, item, qs_queue_number(queue), code);
	if (is_barrier) qs_record_item_barrier(item);
}

// Recorded before the call: libdispatch submits the notification at once for an empty group.
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
	struct qs_submitted_block submitted = qs_submitted_block(block);
	if (submitted.context == NULL) {
		original(dispatch_group_notify)(group, queue, block);
		return;
	}
	record_notify(group, (uint64_t)(uintptr_t)submitted.context, queue, qs_block_code(block), false);
	original(dispatch_group_notify_f)(group, queue, submitted.context, submitted.run);
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
