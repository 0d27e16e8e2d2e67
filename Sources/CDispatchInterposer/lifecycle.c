// Targets, activation, suspension and release of queues and sources.
//
// Everything is recorded before the original runs, for two reasons: libdispatch may end the process for a misuse, and
// after the last release the object's address may be reused at once.
#include "callers.h"
#include "encounters.h"
#include "groups.h"
#include "object_header.h"

// Values of the `object` and `kind` fields. `id` is 0 when the object does not belong to the program.
struct identity {
	uint64_t id;
	uint8_t kind;
};

static struct identity identify(const void *object, const struct qs_object_info *info)
{
	if (info != NULL) return (struct identity){qs_object_id(info), info->kind};
	if (object == qs_helpers.main_queue) return (struct identity){qs_serial(object), qs_object_kind_queue};
	return (struct identity){0, 0};
}

static void activating(const struct qs_object_info *info, const struct qs_call_site *site, uint32_t stack)
{
	if (!qs_object_note_activation(info, site->address, stack)) return;
	qs_record_object_activate(qs_object_id(info), info->kind, site->code, stack);
}

QS_HOOK(void, dispatch_activate, (void *object))
{
	if (qs_hook_records() && object != NULL) {
		struct qs_object_info info;
		if (qs_object_encounter(object, &info) && !info.is_activated) {
			struct qs_call_site *site = qs_this_call_site();
			activating(&info, site, qs_call_site_stack(site));
		}
	}
	original(dispatch_activate)(object);
}

QS_HOOK(void, dispatch_suspend, (void *object))
{
	if (qs_hook_records() && object != NULL) {
		struct qs_object_info info;
		struct identity identity = identify(object, qs_object_encounter(object, &info) ? &info : NULL);
		if (identity.id != 0) {
			struct qs_call_site *site = qs_this_call_site();
			qs_record_object_suspend(identity.id, identity.kind, site->code, qs_call_site_stack(site));
		}
	}
	original(dispatch_suspend)(object);
}

// Slow path: the object has no suspension to resume.
static QS_SLOW_PATH void record_over_resume(const struct qs_object_info *info, uint32_t code, uint32_t stack)
{
	qs_record_over_resume(qs_object_id(info), info->kind, code, stack, qs_object_activation_code(info),
		qs_object_activation_stack(info));
}

// Resuming a source that is inactive and not suspended activates it.
QS_HOOK(void, dispatch_resume, (void *object))
{
	if (qs_hook_records() && object != NULL) {
		struct qs_object_info info;
		bool is_known = qs_object_encounter(object, &info);
		bool is_source = is_known && info.kind == qs_object_kind_source;
		bool is_activation = is_source && !info.is_activated && !qs_queue_is_suspended(object);
		struct identity identity = identify(object, is_known ? &info : NULL);
		if (identity.id != 0) {
			struct qs_call_site *site = qs_this_call_site();
			if (qs_unlikely(is_known && qs_queue_has_no_suspension(object, is_source))) {
				record_over_resume(&info, site->code, qs_call_site_stack(site));
			}
			if (is_activation) activating(&info, site, qs_call_site_stack(site));
			qs_record_object_resume(identity.id, identity.kind, site->code);
		}
	}
	original(dispatch_resume)(object);
}

// Whether changing the target is allowed. A queue that a C program creates with dispatch_queue_create may get another
// target while it is active, if no other queue or source targets it.
static bool may_change_target(const struct qs_object_info *info)
{
	if (!info->is_activated) return true;
	if (info->kind != qs_object_kind_queue) return false;
	return qs_queue_is_mutable(info->object) && !qs_queue_is_targeted(info->object);
}

static void record_new_target(const struct qs_object_info *info, uint64_t target, uint32_t code)
{
	if (info->kind == qs_object_kind_source) qs_record_source_set_target(qs_object_id(info), target, code);
	else qs_record_queue_set_target(info->serial, target, code);
}

// Recorded before the call: libdispatch ends the process for most of these misuses.
static void record_misuse_of_target(const struct qs_object_info *info, uint64_t target, uint32_t code, uint32_t stack)
{
	if (info->kind == qs_object_kind_queue && qs_queue_is_mutable(info->object)) {
		qs_record_non_leaf_retarget(qs_object_id(info), info->kind, info->target, target, code, stack,
			qs_object_activation_code(info), qs_object_activation_stack(info));
		return;
	}
	qs_record_retarget_after_activation(qs_object_id(info), info->kind, info->target, target, code, stack,
		qs_object_activation_code(info), qs_object_activation_stack(info));
}

// The target that libdispatch chooses for NULL. A busy queue gets it later.
static const void *default_target(const struct qs_object_info *info)
{
	bool is_serial = info->kind == qs_object_kind_source || info->width == 1;
	return qs_helpers.get_global_queue != NULL ? qs_helpers.get_global_queue(0, is_serial ? QS_OVERCOMMIT : 0) : NULL;
}

QS_HOOK(void, dispatch_set_target_queue, (void *object, void *queue))
{
	struct qs_object_info info;
	if (!qs_hook_records() || object == NULL || !qs_object_encounter(object, &info)) {
		original(dispatch_set_target_queue)(object, queue);
		return;
	}
	bool is_misuse = !may_change_target(&info);
	const void *chosen = queue != NULL ? queue : default_target(&info);
	uint64_t target = chosen != NULL ? qs_queue_number(chosen) : 0;
	if (is_misuse) {
		struct qs_call_site *site = qs_this_call_site();
		record_misuse_of_target(&info, target, site->code, qs_call_site_stack(site));
	} else {
		record_new_target(&info, target, qs_program_caller_code());
	}
	original(dispatch_set_target_queue)(object, queue);
	qs_object_note_target(object, target);
}

// The last reference is released while the object is suspended or inactive: libdispatch ends the process.
static void record_misuse_of_release(const struct qs_object_info *info, uintptr_t caller, uint32_t stack)
{
	uint32_t activation_code = info->is_activated ? qs_object_activation_code(info) : 0;
	uint32_t activation_stack = info->is_activated ? qs_object_activation_stack(info) : 0;
	qs_record_release_while_suspended(qs_object_id(info), info->kind, !info->is_activated, qs_place_code(caller),
		stack, activation_code, activation_stack);
}

static void record_disposal(const struct qs_object_info *info)
{
	if (info->kind == qs_object_kind_source) qs_record_source_dispose(qs_object_id(info));
	else qs_record_queue_dispose(info->serial);
}

// Removes an object whose last reference is about to be released, and copies its entry. An object that the session has
// not encountered is of interest only if libdispatch rejects the release.
static bool may_dispose(const void *object, struct qs_object_info *copy)
{
	if (qs_object_remove(object, copy)) return true;
	bool is_queue_or_source = qs_object_types_are_known() && qs_is_queue_or_source(object);
	if (!is_queue_or_source || !qs_queue_rejects_last_release(object)) return false;
	return qs_object_encounter(object, copy);
}

// Releases a reference as libdispatch would. Exactly one thread finds that its reference is the last one; only that
// call is passed on to libdispatch.
QS_HOOK(void, dispatch_release, (void *object))
{
	bool is_group = false;
	if (qs_is_recording() && qs_likely(object != NULL && qs_object_header_is_known())) {
		struct qs_object_header *header = object;
		if (qs_references_drop(&header->external_references)) return;
		if (__atomic_load_n(&header->external_references, __ATOMIC_RELAXED) == 0) {
			struct qs_object_info info;
			if (qs_is_group(object)) {
				is_group = qs_group_release_begin(object);
			} else if (may_dispose(object, &info)) {
				if (qs_queue_rejects_last_release(object)) {
					uintptr_t caller =
						qs_releaser((uintptr_t)__builtin_return_address(0), __builtin_frame_address(0));
					record_misuse_of_release(&info, caller, qs_site_stack(caller));
				}
				record_disposal(&info);
			}
		}
	}
	original(dispatch_release)(object);
	if (is_group) qs_group_release_end(object);
}
