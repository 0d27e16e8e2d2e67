// Compares the recorder's declarations with LTTng's headers. LTTngInterfaceTests compiles this file and does not run
// it.
#include <lttng/tracepoint-types.h>
#include <lttng/ust-events.h>
#include <lttng/ust-ringbuffer-context.h>
#include <stddef.h>

#include "lttng_interface.h"

#define QS_SAME(ours, theirs) _Static_assert((long long)(ours) == (long long)(theirs), #ours)
#define QS_SAME_SIZE(name) QS_SAME(sizeof(struct qs_ust_##name), sizeof(struct lttng_ust_##name))
#define QS_SAME_PLACE(name, member) \
	QS_SAME(offsetof(struct qs_ust_##name, member), offsetof(struct lttng_ust_##name, member)); \
	QS_SAME(sizeof(((struct qs_ust_##name *)0)->member), sizeof(((struct lttng_ust_##name *)0)->member))
#define QS_SAME_1(name, a) QS_SAME_PLACE(name, a)
#define QS_SAME_2(name, a, b) QS_SAME_PLACE(name, a); QS_SAME_PLACE(name, b)
#define QS_SAME_3(name, a, b, c) QS_SAME_2(name, a, b); QS_SAME_PLACE(name, c)
#define QS_SAME_4(name, a, b, c, d) QS_SAME_3(name, a, b, c); QS_SAME_PLACE(name, d)
#define QS_SAME_5(name, a, b, c, d, e) QS_SAME_4(name, a, b, c, d); QS_SAME_PLACE(name, e)
#define QS_SAME_6(name, a, b, c, d, e, f) QS_SAME_5(name, a, b, c, d, e); QS_SAME_PLACE(name, f)

QS_SAME(QS_UST_PROVIDER_MAJOR, LTTNG_UST_PROVIDER_MAJOR);
QS_SAME(QS_UST_PROVIDER_MINOR, LTTNG_UST_PROVIDER_MINOR);
QS_SAME(QS_UST_OLDEST_PROTOCOL, LTTNG_UST_ABI_MAJOR_VERSION_OLDEST_COMPATIBLE);
QS_SAME(QS_UST_PROTOCOL, LTTNG_UST_ABI_MAJOR_VERSION);
QS_SAME(QS_UST_INTEGER, lttng_ust_type_integer);
QS_SAME(QS_UST_STRING, lttng_ust_type_string);
QS_SAME(QS_UST_ENUM, lttng_ust_type_enum);
QS_SAME(QS_UST_SEQUENCE, lttng_ust_type_sequence);
QS_SAME(QS_UST_NO_TEXT, lttng_ust_string_encoding_none);
QS_SAME(QS_UST_UTF8, lttng_ust_string_encoding_UTF8);
QS_SAME(QS_UST_EVENT_RECORDER, LTTNG_UST_EVENT_TYPE_RECORDER);
QS_SAME(QS_UST_EVENT_NOTIFIER, LTTNG_UST_EVENT_TYPE_NOTIFIER);
QS_SAME(QS_UST_FILTER_ACCEPT, LTTNG_UST_EVENT_FILTER_ACCEPT);

// Structs that the recorder creates. LTTng relies on the size of some of them.
QS_SAME_SIZE(type_common);
QS_SAME_SIZE(type_integer);
QS_SAME_5(type_integer, parent, struct_size, size, alignment, base);
QS_SAME_SIZE(type_string);
QS_SAME_3(type_string, parent, struct_size, encoding);
QS_SAME_SIZE(type_enum);
QS_SAME_4(type_enum, parent, struct_size, desc, container_type);
QS_SAME_SIZE(type_sequence);
QS_SAME_6(type_sequence, parent, struct_size, length_name, elem_type, alignment, encoding);
QS_SAME_SIZE(enum_value);
QS_SAME_1(enum_value, value);
QS_SAME_SIZE(enum_entry);
QS_SAME_5(enum_entry, struct_size, start, end, string, options);
QS_SAME_SIZE(enum_desc);
QS_SAME_5(enum_desc, struct_size, name, entries, nr_entries, probe_desc);
QS_SAME_SIZE(event_field);
QS_SAME_3(event_field, struct_size, name, type);
QS_SAME_SIZE(tracepoint_class);
QS_SAME_6(tracepoint_class, struct_size, fields, nr_fields, probe_callback, signature, probe_desc);
QS_SAME_SIZE(event_desc);
QS_SAME_6(event_desc, struct_size, event_name, probe_desc, tp_class, loglevel, model_emf_uri);
QS_SAME_SIZE(probe_desc);
QS_SAME_6(probe_desc, struct_size, provider_name, event_desc, nr_events, major, minor);
QS_SAME_SIZE(tracepoint_probe);
QS_SAME_2(tracepoint_probe, func, data);
QS_SAME_SIZE(tracepoint);
QS_SAME_6(tracepoint, struct_size, provider_name, event_name, state, probes, signature);
QS_SAME_SIZE(probe_ctx);
QS_SAME_2(probe_ctx, struct_size, ip);
QS_SAME_SIZE(notification_ctx);
QS_SAME_2(notification_ctx, struct_size, eval_capture);
QS_SAME_SIZE(ring_buffer_ctx);
QS_SAME_6(ring_buffer_ctx, struct_size, client_priv, data_size, largest_align, probe_ctx, priv);

// Structs that LTTng creates. They may have more members at the end.
QS_SAME_6(event_common, struct_size, type, child, enabled, eval_filter, run_filter);
QS_SAME_2(event_recorder, struct_size, chan);
QS_SAME_3(event_notifier, struct_size, eval_capture, notification_send);
QS_SAME_4(channel_buffer_ops, struct_size, event_reserve, event_commit, event_write);
QS_SAME_3(channel_common, struct_size, enabled, session);
QS_SAME_3(channel_buffer, struct_size, parent, ops);
QS_SAME_2(session, struct_size, active);
