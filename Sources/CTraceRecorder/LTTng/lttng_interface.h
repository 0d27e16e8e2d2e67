// The part that the recorder uses of the binary interface between traced programs and LTTng-UST 2.13 and later
// (provider major 3).
//
// Declared here so that the recorder compiles to the same code with and without LTTng installed; it opens liblttng-ust
// at run time. LTTng adds members only at the end of these structures. struct_size states how many members a side has.
// LTTngInterfaceTests compares sizes and offsets with LTTng's own headers.
#ifndef QS_LTTNG_INTERFACE_H
#define QS_LTTNG_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

enum {
	QS_UST_PROVIDER_MAJOR = 3,
	QS_UST_PROVIDER_MINOR = 0,
	// Versions of the protocol between programs and the session daemon. The name of the daemon's socket contains the
	// version.
	QS_UST_OLDEST_PROTOCOL = 8,
	QS_UST_PROTOCOL = 9,
};

// MARK: Constant descriptions that the provider passes to LTTng

enum qs_ust_type {
	QS_UST_INTEGER = 0,
	QS_UST_STRING = 1,
	QS_UST_ENUM = 4,
	QS_UST_SEQUENCE = 6,
};

enum qs_ust_encoding {
	QS_UST_NO_TEXT = 0,
	QS_UST_UTF8 = 1,
};

// The first member of every type.
struct qs_ust_type_common {
	enum qs_ust_type type;
};

struct qs_ust_type_integer {
	struct qs_ust_type_common parent;
	uint32_t struct_size;
	unsigned int size;        // in bits
	unsigned short alignment; // in bits
	unsigned int signedness : 1;
	unsigned int reverse_byte_order : 1;
	unsigned int base; // base in which it is printed
};

struct qs_ust_type_string {
	struct qs_ust_type_common parent;
	uint32_t struct_size;
	enum qs_ust_encoding encoding;
};

struct qs_ust_type_enum {
	struct qs_ust_type_common parent;
	uint32_t struct_size;
	const struct qs_ust_enum_desc *desc;
	const struct qs_ust_type_common *container_type;
};

struct qs_ust_type_sequence {
	struct qs_ust_type_common parent;
	uint32_t struct_size;
	const char *length_name; // of the field that has the length
	const struct qs_ust_type_common *elem_type;
	unsigned int alignment;
	enum qs_ust_encoding encoding;
};

struct qs_ust_enum_value {
	unsigned long long value;
	unsigned int signedness : 1;
};

struct qs_ust_enum_entry {
	uint32_t struct_size;
	struct qs_ust_enum_value start, end; // both inclusive
	const char *string;
	unsigned int options;
};

struct qs_ust_enum_desc {
	uint32_t struct_size;
	const char *name;
	const struct qs_ust_enum_entry *const *entries;
	unsigned int nr_entries;
	const struct qs_ust_probe_desc *probe_desc;
};

struct qs_ust_event_field {
	uint32_t struct_size;
	const char *name;
	const struct qs_ust_type_common *type;
	unsigned int nowrite : 1;
	unsigned int nofilter : 1;
};

struct qs_ust_tracepoint_class {
	uint32_t struct_size;
	const struct qs_ust_event_field *const *fields;
	size_t nr_fields;
	void (*probe_callback)(void);
	const char *signature;
	const struct qs_ust_probe_desc *probe_desc;
};

struct qs_ust_event_desc {
	uint32_t struct_size;
	const char *event_name;
	const struct qs_ust_probe_desc *probe_desc;
	const struct qs_ust_tracepoint_class *tp_class;
	const int **loglevel;
	const char **model_emf_uri;
};

struct qs_ust_probe_desc {
	uint32_t struct_size;
	const char *provider_name;
	const struct qs_ust_event_desc *const *event_desc;
	unsigned int nr_events;
	uint32_t major;
	uint32_t minor;
};

// MARK: Tracepoints, which LTTng switches on and off

// An entry without a function ends the list.
struct qs_ust_tracepoint_probe {
	void (*func)(void);
	void *data;
};

struct qs_ust_tracepoint {
	uint32_t struct_size;
	const char *provider_name;
	const char *event_name;
	int state; // not 0: at least one session has it enabled
	struct qs_ust_tracepoint_probe *probes; // protected by LTTng's RCU
	int *tracepoint_provider_ref;
	const char *signature;
};

// MARK: Structures that LTTng passes to a probe, and gets from it

struct qs_ust_probe_ctx {
	uint32_t struct_size;
	void *ip;
};

enum qs_ust_event_type {
	QS_UST_EVENT_RECORDER = 0,
	QS_UST_EVENT_NOTIFIER = 1,
};

enum qs_ust_filter_result {
	QS_UST_FILTER_ACCEPT = 0,
};

struct qs_ust_event_common {
	uint32_t struct_size;
	void *priv;
	enum qs_ust_event_type type;
	void *child; // qs_ust_event_recorder or qs_ust_event_notifier
	int enabled;
	int eval_filter;
	int (*run_filter)(const struct qs_ust_event_common *, const char *stack, struct qs_ust_probe_ctx *, void *);
};

struct qs_ust_event_recorder {
	uint32_t struct_size;
	struct qs_ust_event_common *parent;
	void *priv;
	struct qs_ust_channel_buffer *chan;
};

struct qs_ust_notification_ctx {
	uint32_t struct_size;
	int eval_capture;
};

struct qs_ust_event_notifier {
	uint32_t struct_size;
	struct qs_ust_event_common *parent;
	void *priv;
	int eval_capture;
	void (*notification_send)(const struct qs_ust_event_notifier *, const char *stack, struct qs_ust_probe_ctx *,
		struct qs_ust_notification_ctx *);
};

struct qs_ust_ring_buffer_ctx {
	uint32_t struct_size;
	void *client_priv; // the recorder of the event
	size_t data_size;
	int largest_align;
	struct qs_ust_probe_ctx *probe_ctx;
	void *priv; // set by event_reserve
};

struct qs_ust_channel_buffer_ops {
	uint32_t struct_size;
	void *priv;
	int (*event_reserve)(struct qs_ust_ring_buffer_ctx *);
	void (*event_commit)(struct qs_ust_ring_buffer_ctx *);
	void (*event_write)(struct qs_ust_ring_buffer_ctx *, const void *source, size_t size, size_t alignment);
};

struct qs_ust_channel_common {
	uint32_t struct_size;
	void *priv;
	int type;
	void *child;
	int enabled;
	struct qs_ust_session *session;
};

struct qs_ust_channel_buffer {
	uint32_t struct_size;
	struct qs_ust_channel_common *parent;
	void *priv;
	struct qs_ust_channel_buffer_ops *ops;
};

struct qs_ust_session {
	uint32_t struct_size;
	void *priv;
	int active;
};

#endif
