#ifndef QS_QUEUE_OFFSETS_H
#define QS_QUEUE_OFFSETS_H

#include <stdint.h>

// Layout of dispatch_queue_offsets, from libdispatch's queue_internal.h. swift-corelibs-libdispatch has version 6.
struct qs_queue_offsets {
	uint16_t version;
	uint16_t label, label_size;
	uint16_t flags, flags_size;
	uint16_t serial, serial_size;
	uint16_t width, width_size;
	uint16_t running, running_size;
	uint16_t suspend_count, suspend_count_size;
	uint16_t target, target_size;
};

#endif
