// Tracepoints of LTTng-UST for the events of the catalogue, described with the structures of its public interface
// instead of its macros. The generated writers produce the same payload bytes for both back ends, so one probe serves
// all events, and liblttng-ust is opened only when it is used.
#ifndef QS_LTTNG_PROVIDER_H
#define QS_LTTNG_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lttng_interface.h"

enum {
	QS_LTTNG_IDS = 256,
	// Process id and thread id, in front of every payload: the streams of LTTng belong to processors, and with these
	// fields a session needs no contexts.
	QS_LTTNG_HEAD = 4 + 4,
};

// An event that is passed to LTTng's probes.
struct qs_lttng_record {
	const unsigned char *payload; // including the head
	size_t size;
	uint8_t id;
};

extern const struct qs_ust_probe_desc qs_lttng_provider;

// Indexed by the catalogue's id; NULL where there is no event.
extern struct qs_ust_tracepoint *const qs_lttng_tracepoints[QS_LTTNG_IDS];

// All tracepoints.
extern struct qs_ust_tracepoint *const qs_lttng_module[];
extern const int qs_lttng_module_count;

// LTTng calls this function for every session that has the event enabled. Context: under RCU's read lock.
void qs_lttng_probe(void *event, const struct qs_lttng_record *record);

// Gives the probe the provider's tables, in which it looks up the fields of an event. Context: before the provider is
// registered.
void qs_lttng_probe_prepare(const struct qs_ust_probe_desc *description, struct qs_ust_tracepoint *const *points);

// MARK: For the generated tables

#define QS_TYPE(structure, ...) \
	((const struct qs_ust_type_common *)&(const struct structure){.struct_size = sizeof(struct structure), __VA_ARGS__})

#define QS_INTEGER(bits, is_signed, number_base) \
	QS_TYPE(qs_ust_type_integer, .parent = {QS_UST_INTEGER}, .size = (bits), .alignment = 8, \
		.signedness = (is_signed), .base = (number_base))

#define QS_STRING QS_TYPE(qs_ust_type_string, .parent = {QS_UST_STRING}, .encoding = QS_UST_UTF8)

#define QS_SEQUENCE(length, element) \
	QS_TYPE(qs_ust_type_sequence, .parent = {QS_UST_SEQUENCE}, .length_name = (length), .elem_type = (element), \
		.encoding = QS_UST_NO_TEXT)

#define QS_ENUMERATION(name) \
	QS_TYPE(qs_ust_type_enum, .parent = {QS_UST_ENUM}, .desc = &enumeration_##name, \
		.container_type = QS_INTEGER(8, 0, 10))

#define QS_CASE(label, number) \
	&(const struct qs_ust_enum_entry){.struct_size = sizeof(struct qs_ust_enum_entry), .start = {(number), 0}, \
		.end = {(number), 0}, .string = (label)}

#define QS_DEFINE_ENUMERATION(text, ...) \
	static const struct qs_ust_enum_entry *const entries_##text[] = {__VA_ARGS__}; \
	static const struct qs_ust_enum_desc enumeration_##text = {.struct_size = sizeof(struct qs_ust_enum_desc), \
		.name = "dispatch_" #text, .entries = entries_##text, \
		.nr_entries = sizeof entries_##text / sizeof entries_##text[0], .probe_desc = &qs_lttng_provider}

#define QS_NAMED_FIELD(text, description, hidden) \
	&(const struct qs_ust_event_field){ \
		.struct_size = sizeof(struct qs_ust_event_field), .name = (text), .type = (description), .nofilter = (hidden)}

#define QS_FIELD(text, description) QS_NAMED_FIELD(text, description, 0)
// Not visible to filters: a filter sees a sequence as one value.
#define QS_LENGTH_FIELD(text, description) QS_NAMED_FIELD(text, description, 1)

#define QS_LOGLEVEL_WARNING 4
#define QS_LOGLEVEL_INFO 6
#define QS_LOGLEVEL_DEBUG 14

#define QS_DEFINE_EVENT(id, text, level, arguments, ...) \
	static const struct qs_ust_event_field *const fields_##id[] = { \
		QS_FIELD("vpid", QS_INTEGER(32, 0, 10)), QS_FIELD("vtid", QS_INTEGER(32, 0, 10)), ##__VA_ARGS__}; \
	static const struct qs_ust_tracepoint_class class_##id = {.struct_size = sizeof(struct qs_ust_tracepoint_class), \
		.fields = fields_##id, .nr_fields = sizeof fields_##id / sizeof fields_##id[0], \
		.probe_callback = (void (*)(void))qs_lttng_probe, .signature = (arguments), .probe_desc = &qs_lttng_provider}; \
	static const int level_##id = (level); \
	static const int *level_pointer_##id = &level_##id; \
	static const char *uri_##id; \
	static const struct qs_ust_event_desc event_##id = {.struct_size = sizeof(struct qs_ust_event_desc), \
		.event_name = #text, .probe_desc = &qs_lttng_provider, .tp_class = &class_##id, \
		.loglevel = &level_pointer_##id, .model_emf_uri = &uri_##id}; \
	static struct qs_ust_tracepoint tracepoint_##id = {.struct_size = sizeof(struct qs_ust_tracepoint), \
		.provider_name = "dispatch", .event_name = #text, .signature = (arguments)}

#endif
