// dispatch_read, dispatch_write and io channels: their handlers.
//
// libdispatch submits a handler from threads of its own and to queues of its own that end in the handler's queue, so
// nobody sees the submission: its item is submitted to the handler's queue and begins at once.
#include "recording_items.h"
#include "wrapper_blocks.h"

struct io_block {
	struct qs_wrapper_block wrapper;
	uint32_t queue; // serial number; 0 for the queue that it runs on
	// When there is no inner block.
	void *work;
	void *context;
};

static void begin(const struct io_block *self)
{
	uint64_t item = qs_new_item();
	uint32_t queue = self->queue != 0 ? self->queue : qs_serial(qs_helpers.get_current_queue());
	const void *inner = self->wrapper.inner;
	uint32_t code = inner != NULL ? qs_block_code(inner) : qs_code_of(0, (uintptr_t)self->work);
	qs_record_item_enqueue(item, queue, code, qs_item_kind_io, 0);
	qs_record_callout_begin(item);
}

// What a handler calls: a block's function gets the block where a function gets its context.
struct target {
	void *work;
	void *first;
};

static struct target target_of(const struct io_block *self)
{
	qs_take_over(self);
	struct qs_block *inner = self->wrapper.inner;
	if (inner != NULL) return (struct target){(void *)inner->invoke, inner};
	return (struct target){self->work, self->context};
}

static const struct qs_block_descriptor descriptor = {
	.size = sizeof(struct io_block), .copy = qs_wrapper_copy, .dispose = qs_wrapper_dispose};

static void run_data(void *block, void *data, int error)
{
	struct target target = target_of(block);
	begin(block);
	((qs_data_function_t)target.work)(target.first, data, error);
	qs_record_callout_end();
}

static void run_channel(void *block, bool is_done, void *data, int error)
{
	struct target target = target_of(block);
	begin(block);
	((qs_channel_function_t)target.work)(target.first, is_done, data, error);
	qs_record_callout_end();
}

static void run_cleanup(void *block, int error)
{
	struct target target = target_of(block);
	begin(block);
	((qs_cleanup_function_t)target.work)(target.first, error);
	qs_record_callout_end();
}

static void run_barrier(void *block)
{
	struct target target = target_of(block);
	begin(block);
	((qs_function_t)target.work)(target.first);
	qs_record_callout_end();
}

static struct io_block wrap(void *invoke, void *queue, void *handler)
{
	return (struct io_block){
		.wrapper = qs_wrapper((void (*)(void *))invoke, &descriptor, handler),
		.queue = queue != NULL ? qs_serial(queue) : 0,
	};
}

// The `_f` forms make blocks of their functions as well.
static struct io_block wrap_function(void *invoke, void *queue, void *context, void *work)
{
	struct io_block wrapper = wrap(invoke, queue, NULL);
	wrapper.work = work;
	wrapper.context = context;
	return wrapper;
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

QS_HOOK(void, dispatch_read_f, (int file, size_t length, void *queue, void *context, qs_data_function_t work))
{
	if (!qs_hook_records() || work == NULL) {
		original(dispatch_read_f)(file, length, queue, context, work);
		return;
	}
	struct io_block wrapper = wrap_function(run_data, queue, context, work);
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

QS_HOOK(void, dispatch_write_f, (int file, void *data, void *queue, void *context, qs_data_function_t work))
{
	if (!qs_hook_records() || work == NULL) {
		original(dispatch_write_f)(file, data, queue, context, work);
		return;
	}
	struct io_block wrapper = wrap_function(run_data, queue, context, work);
	original(dispatch_write)(file, data, queue, &wrapper);
}

QS_HOOK(void *, dispatch_io_create, (unsigned long type, int file, void *queue, void *cleanup))
{
	if (!qs_hook_records() || cleanup == NULL) return original(dispatch_io_create)(type, file, queue, cleanup);
	struct io_block wrapper = wrap(run_cleanup, queue, cleanup);
	return original(dispatch_io_create)(type, file, queue, &wrapper);
}

QS_HOOK(void *, dispatch_io_create_f,
	(unsigned long type, int file, void *queue, void *context,
		qs_cleanup_function_t cleanup))
{
	if (!qs_hook_records() || cleanup == NULL) {
		return original(dispatch_io_create_f)(type, file, queue, context, cleanup);
	}
	struct io_block wrapper = wrap_function(run_cleanup, queue, context, cleanup);
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

QS_HOOK(void *, dispatch_io_create_with_path_f,
	(unsigned long type, const char *path, int flags, mode_t mode, void *queue, void *context,
		qs_cleanup_function_t cleanup))
{
	if (!qs_hook_records() || cleanup == NULL) {
		return original(dispatch_io_create_with_path_f)(type, path, flags, mode, queue, context, cleanup);
	}
	struct io_block wrapper = wrap_function(run_cleanup, queue, context, cleanup);
	return original(dispatch_io_create_with_path)(type, path, flags, mode, queue, &wrapper);
}

QS_HOOK(void *, dispatch_io_create_with_io, (unsigned long type, void *io, void *queue, void *cleanup))
{
	if (!qs_hook_records() || cleanup == NULL) return original(dispatch_io_create_with_io)(type, io, queue, cleanup);
	struct io_block wrapper = wrap(run_cleanup, queue, cleanup);
	return original(dispatch_io_create_with_io)(type, io, queue, &wrapper);
}

QS_HOOK(void *, dispatch_io_create_with_io_f,
	(unsigned long type, void *io, void *queue, void *context,
		qs_cleanup_function_t cleanup))
{
	if (!qs_hook_records() || cleanup == NULL) {
		return original(dispatch_io_create_with_io_f)(type, io, queue, context, cleanup);
	}
	struct io_block wrapper = wrap_function(run_cleanup, queue, context, cleanup);
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

QS_HOOK(void, dispatch_io_read_f,
	(void *channel, off_t offset, size_t length, void *queue, void *context, qs_channel_function_t work))
{
	if (!qs_hook_records() || work == NULL) {
		original(dispatch_io_read_f)(channel, offset, length, queue, context, work);
		return;
	}
	struct io_block wrapper = wrap_function(run_channel, queue, context, work);
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

QS_HOOK(void, dispatch_io_write_f,
	(void *channel, off_t offset, void *data, void *queue, void *context, qs_channel_function_t work))
{
	if (!qs_hook_records() || work == NULL) {
		original(dispatch_io_write_f)(channel, offset, data, queue, context, work);
		return;
	}
	struct io_block wrapper = wrap_function(run_channel, queue, context, work);
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

QS_HOOK(void, dispatch_io_barrier_f, (void *channel, void *context, qs_function_t work))
{
	if (!qs_hook_records() || work == NULL) {
		original(dispatch_io_barrier_f)(channel, context, work);
		return;
	}
	struct io_block wrapper = wrap_function(run_barrier, NULL, context, work);
	original(dispatch_io_barrier)(channel, &wrapper);
}
