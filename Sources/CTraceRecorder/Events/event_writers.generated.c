// Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit.
#include "event_writers.generated.h"

#include "event_writing.h"

_Static_assert(QS_SCHEMA_MAJOR == 1, "schema version of event_writing.h");
_Static_assert(QS_SCHEMA_MINOR == 9, "schema version of event_writing.h");

void qs_record_queue_create(uint64_t queue, const char *label, size_t label_length, uint16_t width, uint8_t qos, uint64_t target, uint8_t flags, uint32_t code, uint32_t stack, uint32_t tid)
{
	label_length = qs_clamp_string(label, label_length);
	unsigned char *cursor = qs_definition_begin(1, 28 + label_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_string(cursor, label, label_length);
	cursor = qs_store_u16(cursor, width);
	cursor = qs_store_u8(cursor, qos);
	cursor = qs_store_u48(cursor, target);
	cursor = qs_store_u8(cursor, flags);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, tid);
	qs_definition_end(cursor);
}

void qs_record_queue_state(uint64_t queue, const char *label, size_t label_length, uint16_t width, uint8_t qos, uint64_t target, uint8_t flags, uint32_t code, uint32_t stack, uint32_t tid)
{
	label_length = qs_clamp_string(label, label_length);
	unsigned char *cursor = qs_definition_begin(2, 28 + label_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_string(cursor, label, label_length);
	cursor = qs_store_u16(cursor, width);
	cursor = qs_store_u8(cursor, qos);
	cursor = qs_store_u48(cursor, target);
	cursor = qs_store_u8(cursor, flags);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, tid);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_queue_dispose(uint64_t queue)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 3, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, queue);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_queue_dispose(uint64_t queue)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 3, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_queue_dispose(queue);
		return;
	}
	cursor = qs_store_u48(cursor, queue);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_queue_set_target(uint64_t queue, uint64_t target, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 4, 16);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u48(cursor, target);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_queue_set_target(uint64_t queue, uint64_t target, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 4, 16);
	if (qs_unlikely(cursor == NULL)) {
		slow_queue_set_target(queue, target, code);
		return;
	}
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u48(cursor, target);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_object_activate(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 10, 15);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_object_activate(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 10, 15);
	if (qs_unlikely(cursor == NULL)) {
		slow_object_activate(object, kind, code, stack);
		return;
	}
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_object_suspend(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 11, 15);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_object_suspend(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 11, 15);
	if (qs_unlikely(cursor == NULL)) {
		slow_object_suspend(object, kind, code, stack);
		return;
	}
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_object_resume(uint64_t object, uint8_t kind, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 12, 11);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_object_resume(uint64_t object, uint8_t kind, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 12, 11);
	if (qs_unlikely(cursor == NULL)) {
		slow_object_resume(object, kind, code);
		return;
	}
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_item_enqueue(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 20, 18);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, qos);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_item_enqueue(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 20, 18);
	if (qs_unlikely(cursor == NULL)) {
		slow_item_enqueue(item, queue, code, kind, qos);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, qos);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_item_delay(uint64_t item, uint64_t delay)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 21, 14);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u64(cursor, delay);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_item_delay(uint64_t item, uint64_t delay)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 21, 14);
	if (qs_unlikely(cursor == NULL)) {
		slow_item_delay(item, delay);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u64(cursor, delay);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_item_begin(uint64_t item, uint64_t queue)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 22, 12);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_item_begin(uint64_t item, uint64_t queue)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 22, 12);
	if (qs_unlikely(cursor == NULL)) {
		slow_item_begin(item, queue);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_item_end(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 23, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_item_end(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 23, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_item_end(item);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_item_cancel(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 24, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_item_cancel(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 24, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_item_cancel(item);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_item_barrier(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 25, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_item_barrier(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 25, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_item_barrier(item);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_callout_begin(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 26, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_callout_begin(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 26, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_callout_begin(item);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_callout_end(void)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 27, 0);
	if (cursor == NULL) return;
	qs_event_end_slow(&writing, cursor);
}

void qs_record_callout_end(void)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 27, 0);
	if (qs_unlikely(cursor == NULL)) {
		slow_callout_end();
		return;
	}
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_item_wait_begin(uint64_t item, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 28, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_item_wait_begin(uint64_t item, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 28, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_item_wait_begin(item, code);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_item_wait_end(uint64_t item, uint8_t timed_out)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 29, 7);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u8(cursor, timed_out);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_item_wait_end(uint64_t item, uint8_t timed_out)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 29, 7);
	if (qs_unlikely(cursor == NULL)) {
		slow_item_wait_end(item, timed_out);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u8(cursor, timed_out);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_sync_enter(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 30, 18);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, qos);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_sync_enter(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 30, 18);
	if (qs_unlikely(cursor == NULL)) {
		slow_sync_enter(item, queue, code, kind, qos);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, qos);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_sync_block(uint64_t item, uint64_t queue, uint32_t holder_tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 31, 16);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, holder_tid);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_sync_block(uint64_t item, uint64_t queue, uint32_t holder_tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 31, 16);
	if (qs_unlikely(cursor == NULL)) {
		slow_sync_block(item, queue, holder_tid);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, holder_tid);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_sync_handoff(uint64_t item, uint64_t queue, uint32_t from_tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 32, 16);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, from_tid);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_sync_handoff(uint64_t item, uint64_t queue, uint32_t from_tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 32, 16);
	if (qs_unlikely(cursor == NULL)) {
		slow_sync_handoff(item, queue, from_tid);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, from_tid);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_sync_return(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 33, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_sync_return(uint64_t item)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 33, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_sync_return(item);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_sync_begin(uint64_t queue, uint32_t code, uint8_t barrier)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 34, 11);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, barrier);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_sync_begin(uint64_t queue, uint32_t code, uint8_t barrier)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 34, 11);
	if (qs_unlikely(cursor == NULL)) {
		slow_sync_begin(queue, code, barrier);
		return;
	}
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, barrier);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_sync_wait(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos, uint64_t level, uint32_t holder_tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 35, 28);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, qos);
	cursor = qs_store_u48(cursor, level);
	cursor = qs_store_u32(cursor, holder_tid);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_sync_wait(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos, uint64_t level, uint32_t holder_tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 35, 28);
	if (qs_unlikely(cursor == NULL)) {
		slow_sync_wait(item, queue, code, kind, qos, level, holder_tid);
		return;
	}
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, qos);
	cursor = qs_store_u48(cursor, level);
	cursor = qs_store_u32(cursor, holder_tid);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_apply_begin(uint64_t apply, uint64_t queue, uint32_t code, uint64_t iterations)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 40, 24);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, apply);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u64(cursor, iterations);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_apply_begin(uint64_t apply, uint64_t queue, uint32_t code, uint64_t iterations)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 40, 24);
	if (qs_unlikely(cursor == NULL)) {
		slow_apply_begin(apply, queue, code, iterations);
		return;
	}
	cursor = qs_store_u48(cursor, apply);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u64(cursor, iterations);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_apply_iteration_begin(uint64_t apply, uint64_t iteration)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 41, 12);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, apply);
	cursor = qs_store_u48(cursor, iteration);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_apply_iteration_begin(uint64_t apply, uint64_t iteration)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 41, 12);
	if (qs_unlikely(cursor == NULL)) {
		slow_apply_iteration_begin(apply, iteration);
		return;
	}
	cursor = qs_store_u48(cursor, apply);
	cursor = qs_store_u48(cursor, iteration);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_apply_iteration_end(uint64_t apply)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 42, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, apply);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_apply_iteration_end(uint64_t apply)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 42, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_apply_iteration_end(apply);
		return;
	}
	cursor = qs_store_u48(cursor, apply);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_apply_end(uint64_t apply, uint32_t threads)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 43, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, apply);
	cursor = qs_store_u32(cursor, threads);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_apply_end(uint64_t apply, uint32_t threads)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 43, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_apply_end(apply, threads);
		return;
	}
	cursor = qs_store_u48(cursor, apply);
	cursor = qs_store_u32(cursor, threads);
	qs_event_end(&writing, cursor);
}

void qs_record_source_create(uint64_t source, uint8_t type, uint64_t handle, uint64_t queue, uint32_t code, uint32_t stack, uint32_t tid, uint8_t flags)
{
	unsigned char *cursor = qs_definition_begin(50, 34);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u8(cursor, type);
	cursor = qs_store_u64(cursor, handle);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u8(cursor, flags);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_source_set_handler(uint64_t source, uint8_t handler, uint32_t code, uint8_t qos, uint8_t removed)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 51, 13);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u8(cursor, handler);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, qos);
	cursor = qs_store_u8(cursor, removed);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_source_set_handler(uint64_t source, uint8_t handler, uint32_t code, uint8_t qos, uint8_t removed)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 51, 13);
	if (qs_unlikely(cursor == NULL)) {
		slow_source_set_handler(source, handler, code, qos, removed);
		return;
	}
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u8(cursor, handler);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u8(cursor, qos);
	cursor = qs_store_u8(cursor, removed);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_source_fire(uint64_t source, uint64_t item, uint64_t queue, uint32_t code, uint64_t data)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 52, 30);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u64(cursor, data);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_source_fire(uint64_t source, uint64_t item, uint64_t queue, uint32_t code, uint64_t data)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 52, 30);
	if (qs_unlikely(cursor == NULL)) {
		slow_source_fire(source, item, queue, code, data);
		return;
	}
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u64(cursor, data);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_timer_configure(uint64_t source, uint64_t delay, uint64_t interval, uint64_t leeway, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 53, 34);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u64(cursor, delay);
	cursor = qs_store_u64(cursor, interval);
	cursor = qs_store_u64(cursor, leeway);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_timer_configure(uint64_t source, uint64_t delay, uint64_t interval, uint64_t leeway, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 53, 34);
	if (qs_unlikely(cursor == NULL)) {
		slow_timer_configure(source, delay, interval, leeway, code);
		return;
	}
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u64(cursor, delay);
	cursor = qs_store_u64(cursor, interval);
	cursor = qs_store_u64(cursor, leeway);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_timer_fire(uint64_t source, uint64_t fires)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 54, 14);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u64(cursor, fires);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_timer_fire(uint64_t source, uint64_t fires)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 54, 14);
	if (qs_unlikely(cursor == NULL)) {
		slow_timer_fire(source, fires);
		return;
	}
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u64(cursor, fires);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_source_cancel(uint64_t source, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 55, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_source_cancel(uint64_t source, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 55, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_source_cancel(source, code);
		return;
	}
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_source_dispose(uint64_t source)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 56, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_source_dispose(uint64_t source)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 56, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_source_dispose(source);
		return;
	}
	cursor = qs_store_u48(cursor, source);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_source_set_target(uint64_t source, uint64_t target, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 57, 16);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u48(cursor, target);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_source_set_target(uint64_t source, uint64_t target, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 57, 16);
	if (qs_unlikely(cursor == NULL)) {
		slow_source_set_target(source, target, code);
		return;
	}
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u48(cursor, target);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_source_merge(uint64_t source, uint64_t data, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 58, 18);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u64(cursor, data);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_source_merge(uint64_t source, uint64_t data, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 58, 18);
	if (qs_unlikely(cursor == NULL)) {
		slow_source_merge(source, data, code);
		return;
	}
	cursor = qs_store_u48(cursor, source);
	cursor = qs_store_u64(cursor, data);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_mutation_after_activation(uint64_t object, uint8_t kind, uint8_t handler, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 60, 24);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, handler);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_mutation_after_activation(uint64_t object, uint8_t kind, uint8_t handler, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 60, 24);
	if (qs_unlikely(cursor == NULL)) {
		slow_mutation_after_activation(object, kind, handler, code, stack, activation_code, activation_stack);
		return;
	}
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, handler);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_retarget_after_activation(uint64_t object, uint8_t kind, uint64_t from, uint64_t to, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 61, 35);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u48(cursor, from);
	cursor = qs_store_u48(cursor, to);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_retarget_after_activation(uint64_t object, uint8_t kind, uint64_t from, uint64_t to, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 61, 35);
	if (qs_unlikely(cursor == NULL)) {
		slow_retarget_after_activation(object, kind, from, to, code, stack, activation_code, activation_stack);
		return;
	}
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u48(cursor, from);
	cursor = qs_store_u48(cursor, to);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_non_leaf_retarget(uint64_t object, uint8_t kind, uint64_t from, uint64_t to, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 62, 35);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u48(cursor, from);
	cursor = qs_store_u48(cursor, to);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_non_leaf_retarget(uint64_t object, uint8_t kind, uint64_t from, uint64_t to, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 62, 35);
	if (qs_unlikely(cursor == NULL)) {
		slow_non_leaf_retarget(object, kind, from, to, code, stack, activation_code, activation_stack);
		return;
	}
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u48(cursor, from);
	cursor = qs_store_u48(cursor, to);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_over_resume(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 63, 23);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_over_resume(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 63, 23);
	if (qs_unlikely(cursor == NULL)) {
		slow_over_resume(object, kind, code, stack, activation_code, activation_stack);
		return;
	}
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_release_while_suspended(uint64_t object, uint8_t kind, uint8_t inactive, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 64, 24);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, inactive);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_release_while_suspended(uint64_t object, uint8_t kind, uint8_t inactive, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 64, 24);
	if (qs_unlikely(cursor == NULL)) {
		slow_release_while_suspended(object, kind, inactive, code, stack, activation_code, activation_stack);
		return;
	}
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, inactive);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u32(cursor, activation_code);
	cursor = qs_store_u32(cursor, activation_stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_group_create(uint64_t group, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 70, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_group_create(uint64_t group, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 70, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_group_create(group, code);
		return;
	}
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_group_enter(uint64_t group)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 71, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, group);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_group_enter(uint64_t group)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 71, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_group_enter(group);
		return;
	}
	cursor = qs_store_u48(cursor, group);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_group_leave(uint64_t group)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 72, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, group);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_group_leave(uint64_t group)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 72, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_group_leave(group);
		return;
	}
	cursor = qs_store_u48(cursor, group);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_group_wait_begin(uint64_t group, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 73, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_group_wait_begin(uint64_t group, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 73, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_group_wait_begin(group, code);
		return;
	}
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_group_wait_end(uint64_t group, uint8_t timed_out)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 74, 7);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u8(cursor, timed_out);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_group_wait_end(uint64_t group, uint8_t timed_out)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 74, 7);
	if (qs_unlikely(cursor == NULL)) {
		slow_group_wait_end(group, timed_out);
		return;
	}
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u8(cursor, timed_out);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_group_notify(uint64_t group, uint64_t item, uint64_t queue, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 75, 22);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_group_notify(uint64_t group, uint64_t item, uint64_t queue, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 75, 22);
	if (qs_unlikely(cursor == NULL)) {
		slow_group_notify(group, item, queue, code);
		return;
	}
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u48(cursor, item);
	cursor = qs_store_u48(cursor, queue);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_semaphore_create(uint64_t semaphore, int64_t value, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 80, 18);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, semaphore);
	cursor = qs_store_u64(cursor, (uint64_t)value);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_semaphore_create(uint64_t semaphore, int64_t value, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 80, 18);
	if (qs_unlikely(cursor == NULL)) {
		slow_semaphore_create(semaphore, value, code);
		return;
	}
	cursor = qs_store_u48(cursor, semaphore);
	cursor = qs_store_u64(cursor, (uint64_t)value);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_semaphore_wait_begin(uint64_t semaphore, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 81, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, semaphore);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_semaphore_wait_begin(uint64_t semaphore, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 81, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_semaphore_wait_begin(semaphore, code);
		return;
	}
	cursor = qs_store_u48(cursor, semaphore);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_semaphore_wait_end(uint64_t semaphore, uint8_t timed_out)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 82, 7);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, semaphore);
	cursor = qs_store_u8(cursor, timed_out);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_semaphore_wait_end(uint64_t semaphore, uint8_t timed_out)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 82, 7);
	if (qs_unlikely(cursor == NULL)) {
		slow_semaphore_wait_end(semaphore, timed_out);
		return;
	}
	cursor = qs_store_u48(cursor, semaphore);
	cursor = qs_store_u8(cursor, timed_out);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_semaphore_signal(uint64_t semaphore, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 83, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, semaphore);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_semaphore_signal(uint64_t semaphore, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 83, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_semaphore_signal(semaphore, code);
		return;
	}
	cursor = qs_store_u48(cursor, semaphore);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

void qs_record_lock_create(uint64_t lock, const char *label, size_t label_length, uint8_t fair, uint32_t code, uint32_t tid, uint8_t kind)
{
	label_length = qs_clamp_string(label, label_length);
	unsigned char *cursor = qs_definition_begin(90, 16 + label_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, lock);
	cursor = qs_store_string(cursor, label, label_length);
	cursor = qs_store_u8(cursor, fair);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u8(cursor, kind);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_lock_wait(uint64_t lock, uint32_t code, uint32_t holder_tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 91, 14);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, lock);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, holder_tid);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_lock_wait(uint64_t lock, uint32_t code, uint32_t holder_tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 91, 14);
	if (qs_unlikely(cursor == NULL)) {
		slow_lock_wait(lock, code, holder_tid);
		return;
	}
	cursor = qs_store_u48(cursor, lock);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, holder_tid);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_lock_acquire(uint64_t lock, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 92, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, lock);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_lock_acquire(uint64_t lock, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 92, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_lock_acquire(lock, code);
		return;
	}
	cursor = qs_store_u48(cursor, lock);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_lock_release(uint64_t lock)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 93, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, lock);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_lock_release(uint64_t lock)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 93, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_lock_release(lock);
		return;
	}
	cursor = qs_store_u48(cursor, lock);
	qs_event_end(&writing, cursor);
}

void qs_record_thread_start(uint32_t tid, const char *name, size_t name_length, uint32_t maker, uint64_t age)
{
	name_length = qs_clamp_string(name, name_length);
	unsigned char *cursor = qs_definition_begin(100, 16 + name_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_string(cursor, name, name_length);
	cursor = qs_store_u32(cursor, maker);
	cursor = qs_store_u64(cursor, age);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_thread_exit(uint32_t tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 101, 4);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_thread_exit(uint32_t tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 101, 4);
	if (qs_unlikely(cursor == NULL)) {
		slow_thread_exit(tid);
		return;
	}
	cursor = qs_store_u32(cursor, tid);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_worker_request(uint64_t root, uint32_t count)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 102, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, root);
	cursor = qs_store_u32(cursor, count);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_worker_request(uint64_t root, uint32_t count)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 102, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_worker_request(root, count);
		return;
	}
	cursor = qs_store_u48(cursor, root);
	cursor = qs_store_u32(cursor, count);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_worker_unpark(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 103, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, root);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_worker_unpark(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 103, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_worker_unpark(root);
		return;
	}
	cursor = qs_store_u48(cursor, root);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_worker_park(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 104, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, root);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_worker_park(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 104, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_worker_park(root);
		return;
	}
	cursor = qs_store_u48(cursor, root);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_switch_out(uint32_t tid, uint8_t preempted, uint16_t processor)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 105, 7);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u8(cursor, preempted);
	cursor = qs_store_u16(cursor, processor);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_switch_out(uint32_t tid, uint8_t preempted, uint16_t processor)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 105, 7);
	if (qs_unlikely(cursor == NULL)) {
		slow_switch_out(tid, preempted, processor);
		return;
	}
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u8(cursor, preempted);
	cursor = qs_store_u16(cursor, processor);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_switch_in(uint32_t tid, uint16_t processor)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 106, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u16(cursor, processor);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_switch_in(uint32_t tid, uint16_t processor)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 106, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_switch_in(tid, processor);
		return;
	}
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u16(cursor, processor);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_worker_create(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 107, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, root);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_worker_create(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 107, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_worker_create(root);
		return;
	}
	cursor = qs_store_u48(cursor, root);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_worker_start(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 108, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, root);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_worker_start(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 108, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_worker_start(root);
		return;
	}
	cursor = qs_store_u48(cursor, root);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_worker_exit(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 109, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, root);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_worker_exit(uint64_t root)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 109, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_worker_exit(root);
		return;
	}
	cursor = qs_store_u48(cursor, root);
	qs_event_end(&writing, cursor);
}

void qs_record_signpost_log(uint32_t log, const char *subsystem, size_t subsystem_length, const char *category, size_t category_length)
{
	subsystem_length = qs_clamp_string(subsystem, subsystem_length);
	category_length = qs_clamp_string(category, category_length);
	unsigned char *cursor = qs_definition_begin(110, 4 + subsystem_length + 1 + category_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, log);
	cursor = qs_store_string(cursor, subsystem, subsystem_length);
	cursor = qs_store_string(cursor, category, category_length);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_signpost_begin(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length)
{
	message_length = qs_clamp_string(message, message_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 111, 14 + message_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, signpost);
	cursor = qs_store_u32(cursor, log);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_string(cursor, message, message_length);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_signpost_begin(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length)
{
	message_length = qs_clamp_string(message, message_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 111, 14 + message_length + 1);
	if (qs_unlikely(cursor == NULL)) {
		slow_signpost_begin(signpost, log, code, message, message_length);
		return;
	}
	cursor = qs_store_u48(cursor, signpost);
	cursor = qs_store_u32(cursor, log);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_string(cursor, message, message_length);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_signpost_end(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length)
{
	message_length = qs_clamp_string(message, message_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 112, 14 + message_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, signpost);
	cursor = qs_store_u32(cursor, log);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_string(cursor, message, message_length);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_signpost_end(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length)
{
	message_length = qs_clamp_string(message, message_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 112, 14 + message_length + 1);
	if (qs_unlikely(cursor == NULL)) {
		slow_signpost_end(signpost, log, code, message, message_length);
		return;
	}
	cursor = qs_store_u48(cursor, signpost);
	cursor = qs_store_u32(cursor, log);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_string(cursor, message, message_length);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_signpost_event(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length)
{
	message_length = qs_clamp_string(message, message_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 113, 14 + message_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, signpost);
	cursor = qs_store_u32(cursor, log);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_string(cursor, message, message_length);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_signpost_event(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length)
{
	message_length = qs_clamp_string(message, message_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 113, 14 + message_length + 1);
	if (qs_unlikely(cursor == NULL)) {
		slow_signpost_event(signpost, log, code, message, message_length);
		return;
	}
	cursor = qs_store_u48(cursor, signpost);
	cursor = qs_store_u32(cursor, log);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_string(cursor, message, message_length);
	qs_event_end(&writing, cursor);
}

void qs_record_code_symbol(uint32_t code, uint64_t address, const char *symbol, size_t symbol_length, const char *file, size_t file_length, uint32_t line, uint64_t thunk)
{
	symbol_length = qs_clamp_string(symbol, symbol_length);
	file_length = qs_clamp_string(file, file_length);
	unsigned char *cursor = qs_definition_begin(120, 20 + symbol_length + 1 + file_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u48(cursor, address);
	cursor = qs_store_string(cursor, symbol, symbol_length);
	cursor = qs_store_string(cursor, file, file_length);
	cursor = qs_store_u32(cursor, line);
	cursor = qs_store_u48(cursor, thunk);
	qs_definition_end(cursor);
}

void qs_record_image(uint64_t base, uint64_t begin, uint64_t end, const char *build_id, size_t build_id_length, const char *path, size_t path_length)
{
	build_id_length = qs_clamp_string(build_id, build_id_length);
	path_length = qs_clamp_string(path, path_length);
	unsigned char *cursor = qs_definition_begin(121, 18 + build_id_length + 1 + path_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, base);
	cursor = qs_store_u48(cursor, begin);
	cursor = qs_store_u48(cursor, end);
	cursor = qs_store_string(cursor, build_id, build_id_length);
	cursor = qs_store_string(cursor, path, path_length);
	qs_definition_end(cursor);
}

void qs_record_stack(uint32_t stack, const uint64_t *frames, uint16_t frames_count)
{
	if (frames_count > QS_MAX_FRAMES) frames_count = QS_MAX_FRAMES;
	unsigned char *cursor = qs_definition_begin(122, 4 + 2 + 6 * (size_t)frames_count);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_addresses(cursor, frames, frames_count);
	qs_definition_end(cursor);
}

void qs_record_process_state(uint32_t pid, const char *name, size_t name_length, uint8_t schema_major, uint8_t schema_minor, uint16_t processors, uint16_t processors_online, uint32_t processor_quota_milli)
{
	name_length = qs_clamp_string(name, name_length);
	unsigned char *cursor = qs_definition_begin(123, 14 + name_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, pid);
	cursor = qs_store_string(cursor, name, name_length);
	cursor = qs_store_u8(cursor, schema_major);
	cursor = qs_store_u8(cursor, schema_minor);
	cursor = qs_store_u16(cursor, processors);
	cursor = qs_store_u16(cursor, processors_online);
	cursor = qs_store_u32(cursor, processor_quota_milli);
	qs_definition_end(cursor);
}

void qs_record_code_stack(uint32_t code, uint32_t stack)
{
	unsigned char *cursor = qs_definition_begin(124, 8);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_definition_end(cursor);
}

void qs_record_clock_sync(uint64_t ticks, uint64_t monotonic, uint64_t realtime, uint64_t boottime, int64_t strayed)
{
	unsigned char *cursor = qs_definition_begin(125, 40);
	if (cursor == NULL) return;
	cursor = qs_store_u64(cursor, ticks);
	cursor = qs_store_u64(cursor, monotonic);
	cursor = qs_store_u64(cursor, realtime);
	cursor = qs_store_u64(cursor, boottime);
	cursor = qs_store_u64(cursor, (uint64_t)strayed);
	qs_definition_end(cursor);
}

void qs_record_recording_stop(void)
{
	unsigned char *cursor = qs_definition_begin(126, 0);
	if (cursor == NULL) return;
	qs_definition_end(cursor);
}

void qs_record_sampling_rate(uint32_t one_of, uint8_t cause, uint32_t budget, uint32_t cost)
{
	unsigned char *cursor = qs_definition_begin(127, 13);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, one_of);
	cursor = qs_store_u8(cursor, cause);
	cursor = qs_store_u32(cursor, budget);
	cursor = qs_store_u32(cursor, cost);
	qs_definition_end(cursor);
}

void qs_record_dispatch_log(uint32_t tid, const char *message, size_t message_length)
{
	message_length = qs_clamp_string(message, message_length);
	unsigned char *cursor = qs_definition_begin(130, 4 + message_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_string(cursor, message, message_length);
	qs_definition_end(cursor);
}

void qs_record_processor_track(uint8_t origin, const char *detail, size_t detail_length)
{
	detail_length = qs_clamp_string(detail, detail_length);
	unsigned char *cursor = qs_definition_begin(140, 1 + detail_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u8(cursor, origin);
	cursor = qs_store_string(cursor, detail, detail_length);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_thread_times(uint32_t tid, uint64_t on_cpu, uint64_t run_delay, uint64_t slices)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 141, 28);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u64(cursor, on_cpu);
	cursor = qs_store_u64(cursor, run_delay);
	cursor = qs_store_u64(cursor, slices);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_thread_times(uint32_t tid, uint64_t on_cpu, uint64_t run_delay, uint64_t slices)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 141, 28);
	if (qs_unlikely(cursor == NULL)) {
		slow_thread_times(tid, on_cpu, run_delay, slices);
		return;
	}
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u64(cursor, on_cpu);
	cursor = qs_store_u64(cursor, run_delay);
	cursor = qs_store_u64(cursor, slices);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_switches_lost(uint64_t switches, uint32_t tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 142, 12);
	if (cursor == NULL) return;
	cursor = qs_store_u64(cursor, switches);
	cursor = qs_store_u32(cursor, tid);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_switches_lost(uint64_t switches, uint32_t tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 142, 12);
	if (qs_unlikely(cursor == NULL)) {
		slow_switches_lost(switches, tid);
		return;
	}
	cursor = qs_store_u64(cursor, switches);
	cursor = qs_store_u32(cursor, tid);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_switches_pause_begin(uint32_t tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 143, 4);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_switches_pause_begin(uint32_t tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 143, 4);
	if (qs_unlikely(cursor == NULL)) {
		slow_switches_pause_begin(tid);
		return;
	}
	cursor = qs_store_u32(cursor, tid);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_switches_pause_end(uint32_t tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 144, 4);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_switches_pause_end(uint32_t tid)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 144, 4);
	if (qs_unlikely(cursor == NULL)) {
		slow_switches_pause_end(tid);
		return;
	}
	cursor = qs_store_u32(cursor, tid);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_blocked_call(uint32_t tid, const char *call, size_t call_length, uint32_t stack, uint8_t descriptor)
{
	call_length = qs_clamp_string(call, call_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 145, 9 + call_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_string(cursor, call, call_length);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u8(cursor, descriptor);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_blocked_call(uint32_t tid, const char *call, size_t call_length, uint32_t stack, uint8_t descriptor)
{
	call_length = qs_clamp_string(call, call_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 145, 9 + call_length + 1);
	if (qs_unlikely(cursor == NULL)) {
		slow_blocked_call(tid, call, call_length, stack, descriptor);
		return;
	}
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_string(cursor, call, call_length);
	cursor = qs_store_u32(cursor, stack);
	cursor = qs_store_u8(cursor, descriptor);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_create(uint64_t task, uint8_t kind, uint8_t qos, uint64_t parent, uint64_t group, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 150, 24);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, qos);
	cursor = qs_store_u48(cursor, parent);
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_create(uint64_t task, uint8_t kind, uint8_t qos, uint64_t parent, uint64_t group, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 150, 24);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_create(task, kind, qos, parent, group, code);
		return;
	}
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u8(cursor, qos);
	cursor = qs_store_u48(cursor, parent);
	cursor = qs_store_u48(cursor, group);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_name(uint64_t task, const char *name, size_t name_length)
{
	name_length = qs_clamp_string(name, name_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 151, 6 + name_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_string(cursor, name, name_length);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_name(uint64_t task, const char *name, size_t name_length)
{
	name_length = qs_clamp_string(name, name_length);
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 151, 6 + name_length + 1);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_name(task, name, name_length);
		return;
	}
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_string(cursor, name, name_length);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_enqueue(uint64_t task, uint64_t executor, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 152, 16);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u48(cursor, executor);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_enqueue(uint64_t task, uint64_t executor, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 152, 16);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_enqueue(task, executor, code);
		return;
	}
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u48(cursor, executor);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_begin(uint64_t task, uint64_t executor)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 153, 12);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u48(cursor, executor);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_begin(uint64_t task, uint64_t executor)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 153, 12);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_begin(task, executor);
		return;
	}
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u48(cursor, executor);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_switch(uint64_t executor, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 154, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, executor);
	cursor = qs_store_u32(cursor, code);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_switch(uint64_t executor, uint32_t code)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 154, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_switch(executor, code);
		return;
	}
	cursor = qs_store_u48(cursor, executor);
	cursor = qs_store_u32(cursor, code);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_suspend(uint64_t task, uint8_t wait, uint64_t object, uint32_t code, uint32_t stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 155, 21);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u8(cursor, wait);
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_suspend(uint64_t task, uint8_t wait, uint64_t object, uint32_t code, uint32_t stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 155, 21);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_suspend(task, wait, object, code, stack);
		return;
	}
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u8(cursor, wait);
	cursor = qs_store_u48(cursor, object);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_finish(uint64_t task)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 156, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, task);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_finish(uint64_t task)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 156, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_finish(task);
		return;
	}
	cursor = qs_store_u48(cursor, task);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_cancel(uint64_t task)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 157, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, task);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_cancel(uint64_t task)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 157, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_cancel(task);
		return;
	}
	cursor = qs_store_u48(cursor, task);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_escalate(uint64_t task, uint8_t qos)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 158, 7);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u8(cursor, qos);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_escalate(uint64_t task, uint8_t qos)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 158, 7);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_escalate(task, qos);
		return;
	}
	cursor = qs_store_u48(cursor, task);
	cursor = qs_store_u8(cursor, qos);
	qs_event_end(&writing, cursor);
}

void qs_record_task_track(uint8_t task_detail, const char *reason, size_t reason_length, uint8_t collects)
{
	reason_length = qs_clamp_string(reason, reason_length);
	unsigned char *cursor = qs_definition_begin(159, 2 + reason_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u8(cursor, task_detail);
	cursor = qs_store_string(cursor, reason, reason_length);
	cursor = qs_store_u8(cursor, collects);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_actor_create(uint64_t executor, uint32_t actor_type)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 160, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, executor);
	cursor = qs_store_u32(cursor, actor_type);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_actor_create(uint64_t executor, uint32_t actor_type)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 160, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_actor_create(executor, actor_type);
		return;
	}
	cursor = qs_store_u48(cursor, executor);
	cursor = qs_store_u32(cursor, actor_type);
	qs_event_end(&writing, cursor);
}

void qs_record_executor_state(uint64_t executor, uint32_t actor_type, uint8_t kind)
{
	unsigned char *cursor = qs_definition_begin(161, 11);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, executor);
	cursor = qs_store_u32(cursor, actor_type);
	cursor = qs_store_u8(cursor, kind);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_actor_destroy(uint64_t executor)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 162, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, executor);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_actor_destroy(uint64_t executor)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 162, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_actor_destroy(executor);
		return;
	}
	cursor = qs_store_u48(cursor, executor);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_task_collect(uint64_t child, uint64_t group)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 163, 12);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, child);
	cursor = qs_store_u48(cursor, group);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_task_collect(uint64_t child, uint64_t group)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 163, 12);
	if (qs_unlikely(cursor == NULL)) {
		slow_task_collect(child, group);
		return;
	}
	cursor = qs_store_u48(cursor, child);
	cursor = qs_store_u48(cursor, group);
	qs_event_end(&writing, cursor);
}

void qs_record_loop_state(uint64_t loop, uint8_t kind, uint32_t tid, uint64_t shares, const char *name, size_t name_length)
{
	name_length = qs_clamp_string(name, name_length);
	unsigned char *cursor = qs_definition_begin(170, 17 + name_length + 1);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, loop);
	cursor = qs_store_u8(cursor, kind);
	cursor = qs_store_u32(cursor, tid);
	cursor = qs_store_u48(cursor, shares);
	cursor = qs_store_string(cursor, name, name_length);
	qs_definition_end(cursor);
}

static QS_SLOW_PATH void slow_loop_poll_begin(uint64_t loop)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 171, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, loop);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_loop_poll_begin(uint64_t loop)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 171, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_loop_poll_begin(loop);
		return;
	}
	cursor = qs_store_u48(cursor, loop);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_loop_poll_end(uint64_t loop, uint32_t ready)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 172, 10);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, loop);
	cursor = qs_store_u32(cursor, ready);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_loop_poll_end(uint64_t loop, uint32_t ready)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 172, 10);
	if (qs_unlikely(cursor == NULL)) {
		slow_loop_poll_end(loop, ready);
		return;
	}
	cursor = qs_store_u48(cursor, loop);
	cursor = qs_store_u32(cursor, ready);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_loop_wake(uint64_t loop)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 173, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, loop);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_loop_wake(uint64_t loop)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 173, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_loop_wake(loop);
		return;
	}
	cursor = qs_store_u48(cursor, loop);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_run_loop_timer(uint64_t run_loop, uint64_t timer, uint64_t due, uint32_t code, uint32_t stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 174, 28);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, run_loop);
	cursor = qs_store_u48(cursor, timer);
	cursor = qs_store_u64(cursor, due);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_run_loop_timer(uint64_t run_loop, uint64_t timer, uint64_t due, uint32_t code, uint32_t stack)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 174, 28);
	if (qs_unlikely(cursor == NULL)) {
		slow_run_loop_timer(run_loop, timer, due, code, stack);
		return;
	}
	cursor = qs_store_u48(cursor, run_loop);
	cursor = qs_store_u48(cursor, timer);
	cursor = qs_store_u64(cursor, due);
	cursor = qs_store_u32(cursor, code);
	cursor = qs_store_u32(cursor, stack);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_run_loop_timer_end(uint64_t timer)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 175, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, timer);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_run_loop_timer_end(uint64_t timer)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 175, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_run_loop_timer_end(timer);
		return;
	}
	cursor = qs_store_u48(cursor, timer);
	qs_event_end(&writing, cursor);
}

static QS_SLOW_PATH void slow_run_loop_run(uint64_t run_loop)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin_slow(&writing, 176, 6);
	if (cursor == NULL) return;
	cursor = qs_store_u48(cursor, run_loop);
	qs_event_end_slow(&writing, cursor);
}

void qs_record_run_loop_run(uint64_t run_loop)
{
	struct qs_writing writing;
	unsigned char *cursor = qs_event_begin(&writing, 176, 6);
	if (qs_unlikely(cursor == NULL)) {
		slow_run_loop_run(run_loop);
		return;
	}
	cursor = qs_store_u48(cursor, run_loop);
	qs_event_end(&writing, cursor);
}
