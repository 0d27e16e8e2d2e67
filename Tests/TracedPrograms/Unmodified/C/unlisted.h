/* Functions that libdispatch.so exports on Linux and the installed headers do not declare. */
#pragma once
#include <dispatch/dispatch.h>

void dispatch_async_and_wait(dispatch_queue_t queue, dispatch_block_t block);
void dispatch_async_and_wait_f(dispatch_queue_t queue, void *context, dispatch_function_t work);
void dispatch_barrier_async_and_wait(dispatch_queue_t queue, dispatch_block_t block);
void dispatch_barrier_async_and_wait_f(dispatch_queue_t queue, void *context, dispatch_function_t work);
void dispatch_source_cancel_and_wait(dispatch_source_t source);
dispatch_queue_t dispatch_workloop_create(const char *label);
dispatch_queue_t dispatch_workloop_create_inactive(const char *label);
void dispatch_queue_set_width(dispatch_queue_t queue, long width);
void dispatch_queue_set_label_nocopy(dispatch_queue_t queue, const char *label);

// Darwin's <sys/qos.h>.
enum {
	QOS_CLASS_USER_INTERACTIVE = 0x21,
	QOS_CLASS_USER_INITIATED = 0x19,
	QOS_CLASS_DEFAULT = 0x15,
	QOS_CLASS_UTILITY = 0x11,
	QOS_CLASS_BACKGROUND = 0x09,
	QOS_CLASS_UNSPECIFIED = 0x00,
};
