// Reads queues of libdispatch without its private headers: through `dispatch_queue_offsets`, exported for debuggers.
#include <string.h>

#include "CTraceRecorder.h"
#include "queue_offsets.h"

// Weak: programs without libdispatch, or with a different one, are recorded too.
extern const struct qs_queue_offsets dispatch_queue_offsets __attribute__((weak));
extern char _dispatch_main_q[] __attribute__((weak));

static const struct qs_queue_offsets *offsets = &dispatch_queue_offsets;

void qs_set_queue_offsets(const void *found)
{
	__atomic_store_n(&offsets, found, __ATOMIC_RELAXED);
}

static bool layout_is_known(void)
{
	return offsets != NULL && offsets->version >= 5 && offsets->label_size == sizeof(char *)
		&& offsets->serial_size == sizeof(long) && offsets->width_size == sizeof(uint16_t)
		&& offsets->target_size == sizeof(void *);
}

const void *qs_main_queue(void)
{
	return _dispatch_main_q;
}

uint64_t qs_queue_serial(const void *queue)
{
	if (queue == NULL || !layout_is_known()) return 0;
	unsigned long serial;
	memcpy(&serial, (const char *)queue + offsets->serial, sizeof serial);
	return serial;
}

uint16_t qs_queue_width(const void *queue)
{
	if (queue == NULL || !layout_is_known()) return 0;
	uint16_t width;
	memcpy(&width, (const char *)queue + offsets->width, sizeof width);
	return width;
}

const void *qs_queue_target(const void *queue)
{
	if (queue == NULL || !layout_is_known()) return NULL;
	const void *target;
	memcpy(&target, (const char *)queue + offsets->target, sizeof target);
	return target;
}

const char *qs_queue_label(const void *queue)
{
	if (queue == NULL || !layout_is_known()) return "";
	const char *label;
	memcpy(&label, (const char *)queue + offsets->label, sizeof label);
	return label != NULL ? label : "";
}
