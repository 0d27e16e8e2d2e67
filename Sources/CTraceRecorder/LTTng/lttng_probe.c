// Probe of all tracepoints: copies a payload into LTTng's buffer, or passes its fields to a filter.
#include "lttng_provider.h"

#include <limits.h>
#include <string.h>

enum { MAX_FIELDS = 24 };

// Tables of the generated provider, whose event descriptions refer to the probe.
static const struct qs_ust_probe_desc *provider;
static struct qs_ust_tracepoint *const *tracepoints;

void qs_lttng_probe_prepare(const struct qs_ust_probe_desc *description, struct qs_ust_tracepoint *const *points)
{
	provider = description;
	tracepoints = points;
}

static const struct qs_ust_tracepoint_class *class_of(uint8_t id)
{
	static const struct qs_ust_tracepoint_class *classes[QS_LTTNG_IDS];
	const struct qs_ust_tracepoint_class *found = __atomic_load_n(&classes[id], __ATOMIC_RELAXED);
	const struct qs_ust_tracepoint *tracepoint = tracepoints[id];
	for (unsigned int index = 0; found == NULL && index < provider->nr_events; index++) {
		const struct qs_ust_event_desc *event = provider->event_desc[index];
		if (strcmp(event->event_name, tracepoint->event_name) == 0) found = event->tp_class;
	}
	__atomic_store_n(&classes[id], found, __ATOMIC_RELAXED);
	return found;
}

static const struct qs_ust_type_integer *integer(const struct qs_ust_type_common *type)
{
	if (type->type == QS_UST_ENUM) type = ((const struct qs_ust_type_enum *)type)->container_type;
	return (const struct qs_ust_type_integer *)type;
}

static const unsigned char *load(const unsigned char *cursor, const struct qs_ust_type_integer *type, uint64_t *value)
{
	*value = 0;
	memcpy(value, cursor, type->size / CHAR_BIT);
	return cursor + type->size / CHAR_BIT;
}

// Values in the form that LTTng's interpreter of filters and captures expects: a number in 8 bytes, a string as its
// address, a sequence as its length and its address.
static void push_fields(const struct qs_lttng_record *record, uint64_t *stack)
{
	const struct qs_ust_tracepoint_class *class = class_of(record->id);
	const unsigned char *cursor = record->payload;
	uint64_t value = 0;
	for (size_t index = 0; index < class->nr_fields; index++) {
		const struct qs_ust_event_field *field = class->fields[index];
		switch (field->type->type) {
		case QS_UST_STRING:
			*stack++ = (uint64_t)(uintptr_t)cursor;
			cursor += strlen((const char *)cursor) + 1;
			break;
		case QS_UST_SEQUENCE: { // its length is the previous field
			const struct qs_ust_type_sequence *sequence = (const struct qs_ust_type_sequence *)field->type;
			*stack++ = value;
			*stack++ = (uint64_t)(uintptr_t)cursor;
			cursor += value * (integer(sequence->elem_type)->size / CHAR_BIT);
			break;
		}
		default:
			cursor = load(cursor, integer(field->type), &value);
			if (!field->nofilter) *stack++ = value;
		}
	}
}

static void write_record(struct qs_ust_event_recorder *recorder, const struct qs_lttng_record *record,
	struct qs_ust_probe_ctx *probe)
{
	const struct qs_ust_channel_buffer *channel = recorder->chan;
	struct qs_ust_ring_buffer_ctx context = {.struct_size = sizeof(struct qs_ust_ring_buffer_ctx),
		.client_priv = recorder, .data_size = record->size, .largest_align = 1, .probe_ctx = probe};
	if (channel->ops->event_reserve(&context) < 0) return; // LTTng counts the lost event
	channel->ops->event_write(&context, record->payload, record->size, 1);
	channel->ops->event_commit(&context);
}

static bool is_on(const struct qs_ust_event_common *event)
{
	if (event->type == QS_UST_EVENT_RECORDER) {
		const struct qs_ust_channel_common *channel = ((struct qs_ust_event_recorder *)event->child)->chan->parent;
		if (!__atomic_load_n(&channel->session->active, __ATOMIC_RELAXED)) return false;
		if (!__atomic_load_n(&channel->enabled, __ATOMIC_RELAXED)) return false;
	}
	return __atomic_load_n(&event->enabled, __ATOMIC_RELAXED) != 0;
}

void qs_lttng_probe(void *data, const struct qs_lttng_record *record)
{
	struct qs_ust_event_common *event = data;
	if (!is_on(event)) return;
	struct qs_ust_probe_ctx probe = {
		.struct_size = sizeof(struct qs_ust_probe_ctx), .ip = __builtin_return_address(0)};
	uint64_t stack[2 * MAX_FIELDS];
	bool has_stack = __atomic_load_n(&event->eval_filter, __ATOMIC_RELAXED) != 0;
	if (has_stack) {
		push_fields(record, stack);
		if (event->run_filter(event, (const char *)stack, &probe, NULL) != QS_UST_FILTER_ACCEPT) return;
	}
	if (event->type == QS_UST_EVENT_RECORDER) {
		write_record(event->child, record, &probe);
		return;
	}
	struct qs_ust_event_notifier *notifier = event->child;
	struct qs_ust_notification_ctx context = {.struct_size = sizeof(struct qs_ust_notification_ctx),
		.eval_capture = __atomic_load_n(&notifier->eval_capture, __ATOMIC_RELAXED)};
	if (!has_stack && context.eval_capture) push_fields(record, stack);
	notifier->notification_send(notifier, (const char *)stack, &probe, &context);
}
