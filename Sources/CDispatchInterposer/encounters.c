#include "encounters.h"

#include <string.h>

#include "object_header.h"
#include "queue_definitions.h"
#include "session_tags.h"
#include "sources.h"

enum {
	// Objects that need no look-up. When two objects share an entry, each use after a use of the other looks again.
	ENTRIES = 1 << 14,
	// Where a source has the pointer to its description, whose first word is the source's type.
	SOURCE_DESCRIPTION = 88,
	// Serial number of libdispatch's manager queue, from its queue_internal.h.
	MANAGER = 2,
};

uint64_t qs_first_created_serial;

// The objects that this session has encountered lately: a queue's serial number or a source's address.
static uint64_t encountered[ENTRIES];
static uint32_t cycle; // atomic: of session_tags.h

static uint64_t *place_of(uint64_t id)
{
	return &encountered[(id * 0x9E3779B97F4A7C15u) >> 50];
}

static bool is_encountered(uint64_t id, uint32_t session)
{
	qs_tagged_table_prepare(encountered, ENTRIES, &cycle, session);
	return __atomic_load_n(place_of(id), __ATOMIC_RELAXED) == qs_tagged_entry(id, session);
}

static void note_encounter(uint64_t id, uint32_t session)
{
	if (session != 0) __atomic_store_n(place_of(id), qs_tagged_entry(id, session), __ATOMIC_RELAXED);
}

void qs_encounters_begin(void)
{
	__atomic_store_n(&qs_first_created_serial, UINT64_MAX, __ATOMIC_RELAXED);
}

void qs_object_note_creation(const struct qs_object_info *info, uint32_t session)
{
	if (info->kind == qs_object_kind_source) return;
	// A queue whose creation began before the session may have a smaller number than a queue that no hook saw.
	if (session != qs_session_number()) return;
	uint64_t first = __atomic_load_n(&qs_first_created_serial, __ATOMIC_RELAXED);
	while (info->serial < first && !__atomic_compare_exchange_n(
		&qs_first_created_serial, &first, info->serial, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static uint8_t source_type(const void *source)
{
	// The kernel checks the address, because the offset is not verified.
	uintptr_t description;
	const void *type = NULL;
	memcpy(&description, (const char *)source + SOURCE_DESCRIPTION, sizeof description);
	if (qs_copy_memory(description, &type, sizeof type) != sizeof type) return qs_source_type_other;
	return qs_source_type_of(type);
}

static void describe_source(const void *source, struct qs_object_info *info)
{
	info->kind = qs_object_kind_source;
	info->source_type = source_type(source);
	info->context = qs_helpers.get_context((void *)source);
	bool has_handle = qs_source_has_handle(info->source_type) && qs_helpers.source_get_handle != NULL;
	info->handle = has_handle ? qs_helpers.source_get_handle((void *)source) : 0;
	// All objects have the target at the same offset as queues.
	info->target = qs_queue_number(qs_target(source));
}

static void describe_queue(const void *queue, bool is_workloop, struct qs_object_info *info)
{
	info->kind = is_workloop ? qs_object_kind_workloop : qs_object_kind_queue;
	info->flags = QS_QUEUE_IS_SEEN | (is_workloop ? QS_QUEUE_IS_WORKLOOP : 0);
	if (qs_queue_is_inactive(queue)) info->flags |= QS_QUEUE_IS_CREATED_INACTIVE;
	if (qs_queue_is_mutable(queue)) info->flags |= QS_QUEUE_IS_MUTABLE;
	info->serial = qs_serial(queue);
	info->width = qs_queue_width(queue);
	info->qos = qs_queue_qos(queue);
	info->target = qs_queue_number(qs_target(queue));
	qs_object_set_label(info, qs_queue_label(queue));
}

// Reads what the object itself shows. Returns false for an object that is no queue, workloop or source of the program.
static bool describe(const void *object, struct qs_object_info *info)
{
	if (!qs_queue_layout_is_known || !qs_object_types_are_known()) return false;
	if (!qs_is_queue_or_source(object)) return false;
	// Root queues have no target. The main queue is never freed. libdispatch's own sources target its manager queue.
	const void *target = qs_target(object);
	if (object == qs_helpers.main_queue || target == NULL || qs_serial(target) == MANAGER) return false;
	memset(info, 0, sizeof *info);
	info->object = object;
	info->is_activated = !qs_queue_is_inactive(object);
	uintptr_t type = qs_object_type(object) & QS_TYPE_CLUSTER;
	if (type == QS_TYPE_SOURCE) describe_source(object, info);
	else describe_queue(object, type == QS_TYPE_WORKLOOP, info);
	return true;
}

bool qs_object_encounter(const void *object, struct qs_object_info *copy)
{
	if (qs_object_find(object, copy)) return true;
	uint32_t session = qs_definitions_number();
	if (session == 0 || !describe(object, copy)) return false;
	copy->defined_session = session;
	// Before the object is in the registry: another thread that finds it there uses it at once.
	qs_define_object(copy);
	qs_object_add(object, copy);
	return true;
}

QS_SLOW_PATH void qs_queue_encounter(const void *queue, uint64_t serial)
{
	uint32_t session = qs_session_number();
	if (is_encountered(serial, session)) return;
	struct qs_object_info info;
	qs_object_encounter(queue, &info);
	note_encounter(serial, session);
}

void qs_source_encounter(const void *source)
{
	uint64_t id = (uint64_t)(uintptr_t)source;
	uint32_t session = qs_session_number();
	if (qs_likely(is_encountered(id, session))) return;
	struct qs_object_info info;
	qs_object_encounter(source, &info);
	note_encounter(id, session);
}
