// Creation of queues and changes of their definition.
//
// A creation is recorded after libdispatch has created the queue, because its serial number exists only then. No other
// thread has the queue before the hook returns it.
#include <string.h>

#include "callers.h"
#include "objects.h"
#include "queue_definitions.h"
#include "queue_state.h"

enum { WIDEST = 0xFFE }; // DISPATCH_QUEUE_WIDTH_MAX

// Copies as much of a label as fits, cut at a character boundary (UTF-8).
static void copy_label(char *to, const char *label)
{
	size_t length = strnlen(label, QS_LABEL_BYTES);
	if (length == QS_LABEL_BYTES) {
		length = QS_LABEL_BYTES - 1;
		while (length > 0 && ((uint8_t)label[length] & 0xC0) == 0x80) length--;
	}
	memcpy(to, label, length);
	to[length] = 0;
}

static void enter(const void *queue, const char *label, uint8_t kind, uintptr_t creation, uint32_t code, uint32_t stack)
{
	bool is_inactive = qs_queue_is_inactive(queue);
	uint8_t flags = is_inactive ? QS_QUEUE_IS_CREATED_INACTIVE : 0;
	if (kind == qs_object_kind_workloop) flags |= QS_QUEUE_IS_WORKLOOP;
	if (qs_queue_is_mutable(queue)) flags |= QS_QUEUE_IS_MUTABLE;
	const void *target = qs_target(queue);
	struct qs_object_info info = {
		.creation = creation,
		.activation = creation,
		.activation_stack = stack,
		.activation_session = qs_session_number(),
		.defined_session = qs_definitions_number(),
		.target = target != NULL ? qs_serial(target) : 0,
		.serial = qs_serial(queue),
		.width = qs_queue_width(queue),
		.kind = kind,
		.qos = qs_queue_qos(queue),
		.flags = flags,
		.is_activated = !is_inactive,
	};
	copy_label(info.label, label);
	qs_object_add(queue, &info);
	if (info.defined_session == 0) return;
	qs_record_queue_create(info.serial, label, strlen(label), info.width, info.qos, info.target, info.flags,
		code, stack, qs_current_tid());
}

// Expanded in the hook itself, so that the stack begins with the hook's caller.
#define ENTER(queue, label, kind) \
	if ((queue) != NULL && qs_hook_is_called_by_program() && qs_serial(queue) != 0) { \
		const char *known = (label) != NULL ? (label) : ""; \
		if (qs_is_recording()) { \
			struct qs_call_site *site = qs_this_call_site(); \
			enter(queue, known, kind, site->address, site->code, qs_call_site_stack(site)); \
		} else { \
			enter(queue, known, kind, (uintptr_t)__builtin_return_address(0), 0, 0); \
		} \
	}

QS_HOOK(void *, dispatch_queue_create, (const char *label, void *attributes))
{
	void *queue = original(dispatch_queue_create)(label, attributes);
	ENTER(queue, label, qs_object_kind_queue)
	return queue;
}

QS_HOOK(void *, dispatch_queue_create_with_target, (const char *label, void *attributes, void *target))
{
	void *queue = original(dispatch_queue_create_with_target)(label, attributes, target);
	ENTER(queue, label, qs_object_kind_queue)
	return queue;
}

QS_HOOK(void *, dispatch_workloop_create, (const char *label))
{
	void *workloop = original(dispatch_workloop_create)(label);
	ENTER(workloop, label, qs_object_kind_workloop)
	return workloop;
}

QS_HOOK(void *, dispatch_workloop_create_inactive, (const char *label))
{
	void *workloop = original(dispatch_workloop_create_inactive)(label);
	ENTER(workloop, label, qs_object_kind_workloop)
	return workloop;
}

// Stores a changed entry and writes a new definition.
static void redefine(const void *queue, const struct qs_object_info *changed)
{
	qs_object_add(queue, changed);
	if (qs_is_recording()) qs_define_object(changed);
}

QS_HOOK(void, dispatch_queue_set_width, (void *queue, long width))
{
	original(dispatch_queue_set_width)(queue, width);
	struct qs_object_info changed;
	if (queue == NULL || !qs_hook_is_called_by_program() || !qs_object_find(queue, &changed)) return;
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
	if (queue == NULL || !qs_hook_is_called_by_program() || !qs_object_find(queue, &changed)) return;
	if (changed.kind == qs_object_kind_source) return;
	copy_label(changed.label, label != NULL ? label : "");
	redefine(queue, &changed);
}
