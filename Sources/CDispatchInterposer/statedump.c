#include "statedump.h"

#include "tasks.h"

#include <string.h>

#include "queue_definitions.h"
#include "queue_state.h"

enum {
	// Queues that libdispatch never frees have the first serial numbers.
	PERMANENT_QUEUES = 32,
	// Definitions that are written in a row, less than 256 KiB.
	ROW = 1024,
};

// The session that defines a permanent queue, by serial number.
static uint32_t defined_sessions[PERMANENT_QUEUES];

void qs_define_permanent_queue(const void *queue, uint8_t flags)
{
	uint32_t session = qs_definitions_number();
	uint64_t serial = qs_serial(queue);
	if (session == 0 || serial == 0 || serial >= PERMANENT_QUEUES) return;
	if (__atomic_exchange_n(&defined_sessions[serial], session, __ATOMIC_RELAXED) == session) return;
	const char *label = qs_queue_label(queue);
	uint8_t qos = 0;
	if ((flags & QS_QUEUE_IS_GLOBAL) != 0) {
		qos = qs_queue_qos(queue);
		// libdispatch returns "unspecified" for the global queue of the default class.
		if (qos == qs_qos_class_unspecified && strstr(label, ".default-qos") != NULL) qos = qs_qos_class_default;
		if (strstr(label, ".overcommit") != NULL) flags |= QS_QUEUE_IS_OVERCOMMIT;
	}
	const void *target = qs_target(queue);
	qs_record_queue_state(serial, label, strlen(label), qs_queue_width(queue), qos,
		target != NULL ? qs_serial(target) : 0, flags | QS_QUEUE_IS_SEEN, 0, 0, qs_current_tid());
}

void qs_define_object(const struct qs_object_info *info)
{
	uint32_t code = info->creation != 0 ? qs_place_code(info->creation) : 0;
	if (info->kind == qs_object_kind_source) {
		uint8_t state = info->is_activated ? QS_SOURCE_IS_SEEN | QS_SOURCE_IS_ACTIVE : QS_SOURCE_IS_SEEN;
		qs_record_source_create(qs_object_id(info), info->source_type, info->handle, info->target, code, 0,
			qs_current_tid(), info->flags | state);
		return;
	}
	// An activated queue is no longer inactive.
	uint8_t flags = info->is_activated ? info->flags & ~QS_QUEUE_IS_CREATED_INACTIVE : info->flags;
	qs_record_queue_state(info->serial, info->label, strlen(info->label), info->width, info->qos, info->target, flags,
		code, 0, qs_current_tid());
}

static void define_global_queues(void)
{
	static const uint8_t classes[] = {qs_qos_class_maintenance, qs_qos_class_background, qs_qos_class_utility,
		qs_qos_class_default, qs_qos_class_user_initiated, qs_qos_class_user_interactive};
	if (qs_helpers.get_global_queue == NULL) return;
	// When libdispatch has fewer queues than classes, it returns the same queue for two classes.
	for (size_t index = 0; index < sizeof classes; index++) {
		for (uintptr_t overcommit = 0; overcommit <= QS_OVERCOMMIT; overcommit += QS_OVERCOMMIT) {
			const void *queue = qs_helpers.get_global_queue(classes[index], overcommit);
			if (queue != NULL) qs_define_permanent_queue(queue, QS_QUEUE_IS_GLOBAL);
		}
	}
}

void qs_statedump_queues(void)
{
	define_global_queues();
	if (qs_helpers.main_queue != NULL) qs_define_permanent_queue(qs_helpers.main_queue, QS_QUEUE_IS_MAIN);
	qs_tasks_define();
	uint32_t session = qs_definitions_number();
	if (session == 0) return;
	uint32_t bucket = 0;
	struct qs_object_info info;
	for (uint32_t count = 1; qs_object_next_undefined(session, &bucket, &info); count++) {
		qs_define_object(&info);
		if (count % ROW == 0) qs_generation_make_room();
	}
}
