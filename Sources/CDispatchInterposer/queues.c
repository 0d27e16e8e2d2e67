// Creation of queues and changes of their definition.
//
// A creation is recorded after libdispatch has created the queue, because its serial number exists only then. No other
// thread has the queue before the hook returns it.
#include <string.h>

#include "callers.h"
#include "encounters.h"
#include "queue_definitions.h"

enum { WIDEST = 0xFFE }; // DISPATCH_QUEUE_WIDTH_MAX

// `session` is the number of the session before the creation.
static void enter(
	const void *queue, const char *label, uint8_t kind, uint32_t session, const struct qs_call_site *site,
	uint32_t stack)
{
	uint32_t definitions = qs_definitions_number();
	if (definitions == 0) return;
	bool is_inactive = qs_queue_is_inactive(queue);
	uint8_t flags = is_inactive ? QS_QUEUE_IS_CREATED_INACTIVE : 0;
	if (kind == qs_object_kind_workloop) flags |= QS_QUEUE_IS_WORKLOOP;
	if (qs_queue_is_mutable(queue)) flags |= QS_QUEUE_IS_MUTABLE;
	const void *target = qs_target(queue);
	struct qs_object_info info = {
		.creation = site->address,
		.activation = site->address,
		.activation_stack = stack,
		.activation_session = qs_session_number(),
		.defined_session = definitions,
		.target = target != NULL ? qs_queue_number(target) : 0,
		.serial = qs_serial(queue),
		.width = qs_queue_width(queue),
		.kind = kind,
		.qos = qs_queue_qos(queue),
		.flags = flags,
		.is_activated = !is_inactive,
	};
	qs_object_set_label(&info, label);
	qs_object_add(queue, &info);
	qs_object_note_creation(&info, session);
	qs_record_queue_create(info.serial, label, strlen(label), info.width, info.qos, info.target, info.flags,
		site->code, stack, qs_current_tid());
}

// Expanded in the hook itself, so that the stack begins with the hook's caller.
#define ENTER(queue, label, kind, session) \
	if (qs_hook_records() && (queue) != NULL && qs_serial(queue) != 0) { \
		struct qs_call_site *site = qs_this_call_site(); \
		enter(queue, (label) != NULL ? (label) : "", kind, session, site, qs_call_site_stack(site)); \
	}

QS_HOOK(void *, dispatch_queue_create, (const char *label, void *attributes))
{
	uint32_t session = qs_session_number();
	void *queue = original(dispatch_queue_create)(label, attributes);
	ENTER(queue, label, qs_object_kind_queue, session)
	return queue;
}

QS_HOOK(void *, dispatch_queue_create_with_target, (const char *label, void *attributes, void *target))
{
	uint32_t session = qs_session_number();
	void *queue = original(dispatch_queue_create_with_target)(label, attributes, target);
	ENTER(queue, label, qs_object_kind_queue, session)
	return queue;
}

QS_HOOK(void *, dispatch_workloop_create, (const char *label))
{
	uint32_t session = qs_session_number();
	void *workloop = original(dispatch_workloop_create)(label);
	ENTER(workloop, label, qs_object_kind_workloop, session)
	return workloop;
}

QS_HOOK(void *, dispatch_workloop_create_inactive, (const char *label))
{
	uint32_t session = qs_session_number();
	void *workloop = original(dispatch_workloop_create_inactive)(label);
	ENTER(workloop, label, qs_object_kind_workloop, session)
	return workloop;
}

// Stores a changed entry and writes a new definition.
static void redefine(const void *queue, const struct qs_object_info *changed)
{
	qs_define_object(changed);
	qs_object_add(queue, changed);
}

QS_HOOK(void, dispatch_queue_set_width, (void *queue, long width))
{
	original(dispatch_queue_set_width)(queue, width);
	struct qs_object_info changed;
	if (!qs_hook_records() || queue == NULL || !qs_object_encounter(queue, &changed)) return;
	if (changed.kind == qs_object_kind_source) return;
	// libdispatch changes the width of a busy queue later. Record the requested width, or the current width for the
	// special values, which are negative.
	changed.width = width < 0 ? qs_queue_width(queue) : (uint16_t)(width == 0 ? 1 : width < WIDEST ? width : WIDEST);
	redefine(queue, &changed);
}

QS_HOOK(void, dispatch_queue_set_label_nocopy, (void *queue, const char *label))
{
	original(dispatch_queue_set_label_nocopy)(queue, label);
	struct qs_object_info changed;
	if (!qs_hook_records() || queue == NULL || !qs_object_encounter(queue, &changed)) return;
	if (changed.kind == qs_object_kind_source) return;
	qs_object_set_label(&changed, label != NULL ? label : "");
	redefine(queue, &changed);
}
