// dispatch_read, dispatch_write and io channels: their handlers.
//
// libdispatch submits a handler from threads of its own and to queues of its own that end in the handler's queue, so
// nobody sees the submission: its item is submitted to the handler's queue and begins at once.
#include "recording_items.h"
#include "wrapper_blocks.h"

struct io_block {
	struct qs_wrapper_block wrapper;
	uint32_t queue; // serial number; 0 for the queue that it runs on
};

static void begin(const struct io_block *self)
{
	uint64_t item = qs_new_item();
	uint32_t queue = self->queue != 0 ? self->queue : qs_serial(qs_helpers.get_current_queue());
	qs_record_item_enqueue(item, queue, qs_block_code(self->wrapper.inner), qs_item_kind_io, 0);
	qs_record_callout_begin(item);
}

static const struct qs_block_descriptor descriptor = {
	.size = sizeof(struct io_block), .copy = qs_wrapper_copy, .dispose = qs_wrapper_dispose};

typedef void (*data_invoke)(void *block, void *data, int error);
typedef void (*channel_invoke)(void *block, bool is_done, void *data, int error);
typedef void (*cleanup_invoke)(void *block, int error);

static void run_data(void *block, void *data, int error)
{
	struct io_block *self = block;
	struct qs_block *inner = self->wrapper.inner;
	begin(self);
	((data_invoke)(void *)inner->invoke)(inner, data, error);
	qs_record_callout_end();
}

static void run_channel(void *block, bool is_done, void *data, int error)
{
	struct io_block *self = block;
	struct qs_block *inner = self->wrapper.inner;
	begin(self);
	((channel_invoke)(void *)inner->invoke)(inner, is_done, data, error);
	qs_record_callout_end();
}

static void run_cleanup(void *block, int error)
{
	struct io_block *self = block;
	struct qs_block *inner = self->wrapper.inner;
	begin(self);
	((cleanup_invoke)(void *)inner->invoke)(inner, error);
	qs_record_callout_end();
}

static void run_barrier(void *block)
{
	struct io_block *self = block;
	struct qs_block *inner = self->wrapper.inner;
	begin(self);
	inner->invoke(inner);
	qs_record_callout_end();
}

static struct io_block wrap(void *invoke, void *queue, void *handler)
{
	return (struct io_block){
		.wrapper = qs_wrapper((void (*)(void *))invoke, &descriptor, handler),
		.queue = queue != NULL ? qs_serial(queue) : 0,
	};
}

QS_HOOK(void, dispatch_read, (int file, size_t length, void *queue, void *handler))
{
	if (!qs_hook_records() || handler == NULL) {
		original(dispatch_read)(file, length, queue, handler);
		return;
	}
	struct io_block wrapper = wrap(run_data, queue, handler);
	original(dispatch_read)(file, length, queue, &wrapper);
}

QS_HOOK(void, dispatch_write, (int file, void *data, void *queue, void *handler))
{
	if (!qs_hook_records() || handler == NULL) {
		original(dispatch_write)(file, data, queue, handler);
		return;
	}
	struct io_block wrapper = wrap(run_data, queue, handler);
	original(dispatch_write)(file, data, queue, &wrapper);
}

QS_HOOK(void *, dispatch_io_create, (unsigned long type, int file, void *queue, void *cleanup))
{
	if (!qs_hook_records() || cleanup == NULL) return original(dispatch_io_create)(type, file, queue, cleanup);
	struct io_block wrapper = wrap(run_cleanup, queue, cleanup);
	return original(dispatch_io_create)(type, file, queue, &wrapper);
}

QS_HOOK(void *, dispatch_io_create_with_path,
	(unsigned long type, const char *path, int flags, mode_t mode, void *queue, void *cleanup))
{
	if (!qs_hook_records() || cleanup == NULL) {
		return original(dispatch_io_create_with_path)(type, path, flags, mode, queue, cleanup);
	}
	struct io_block wrapper = wrap(run_cleanup, queue, cleanup);
	return original(dispatch_io_create_with_path)(type, path, flags, mode, queue, &wrapper);
}

QS_HOOK(void *, dispatch_io_create_with_io, (unsigned long type, void *io, void *queue, void *cleanup))
{
	if (!qs_hook_records() || cleanup == NULL) return original(dispatch_io_create_with_io)(type, io, queue, cleanup);
	struct io_block wrapper = wrap(run_cleanup, queue, cleanup);
	return original(dispatch_io_create_with_io)(type, io, queue, &wrapper);
}

QS_HOOK(void, dispatch_io_read, (void *channel, off_t offset, size_t length, void *queue, void *handler))
{
	if (!qs_hook_records() || handler == NULL) {
		original(dispatch_io_read)(channel, offset, length, queue, handler);
		return;
	}
	struct io_block wrapper = wrap(run_channel, queue, handler);
	original(dispatch_io_read)(channel, offset, length, queue, &wrapper);
}

QS_HOOK(void, dispatch_io_write, (void *channel, off_t offset, void *data, void *queue, void *handler))
{
	if (!qs_hook_records() || handler == NULL) {
		original(dispatch_io_write)(channel, offset, data, queue, handler);
		return;
	}
	struct io_block wrapper = wrap(run_channel, queue, handler);
	original(dispatch_io_write)(channel, offset, data, queue, &wrapper);
}

// libdispatch calls the block as a function, on the channel's queue. One with private data records that itself.
QS_HOOK(void, dispatch_io_barrier, (void *channel, void *block))
{
	if (!qs_hook_records() || block == NULL || qs_block_has_private_data(block)) {
		original(dispatch_io_barrier)(channel, block);
		return;
	}
	struct io_block wrapper = wrap(run_barrier, NULL, block);
	original(dispatch_io_barrier)(channel, &wrapper);
}
