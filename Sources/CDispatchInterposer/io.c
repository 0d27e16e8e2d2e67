// dispatch_read, dispatch_write and io channels: their handlers.
//
// libdispatch submits a handler from its own threads through its own queues, which target the handler's queue, so no
// hook sees the submission. The item is recorded as submitted to the handler's queue when it begins.
#include "recording_items.h"
#include "wrapper_blocks.h"

struct io_block {
	struct qs_wrapper_block wrapper;
	uint64_t queue; // serial number; 0 for the queue that it runs on
	// Used when there is no inner block.
	void *work;
	void *context;
};

static void begin(const struct io_block *self)
{
	uint64_t item = qs_new_item();
	uint64_t queue = self->queue != 0 ? self->queue : qs_queue_number(qs_helpers.get_current_queue());
	const void *inner = self->wrapper.inner;
	uint32_t code = inner != NULL ? qs_block_code(inner) : qs_code_of(0, (uintptr_t)self->work);
	qs_record_item_enqueue(item, queue, code, qs_item_kind_io, 0);
	qs_record_callout_begin(item);
}

// The function to call and its first argument: the block for a block, the context for a function.
struct target {
	void *work;
	void *first;
};

static struct target target_of(const struct io_block *self)
{
	qs_tsan_acquire(self);
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
		.queue = queue != NULL ? qs_queue_number(queue) : 0,
	};
}

// The `_f` forms wrap their functions in blocks as well.
static struct io_block wrap_function(void *invoke, void *queue, void *context, void *work)
{
	struct io_block wrapper = wrap(invoke, queue, NULL);
	wrapper.work = work;
	wrapper.context = context;
	return wrapper;
}

// The hooks of a function and of its `_f` form. `queue` is the handler's queue; `parameters` are the parameters before
// the handler. A block with private data records its run itself.
#define IO_HOOKS(result, name, run, queue, function, parameters, arguments) \
	QS_HOOK(result, name, (QS_LIST parameters, void *handler)) \
	{ \
		if (!qs_hook_records() || handler == NULL || qs_block_has_private_data(handler)) { \
			return original(name)(QS_LIST arguments, handler); \
		} \
		struct io_block wrapper = wrap(run, queue, handler); \
		return original(name)(QS_LIST arguments, &wrapper); \
	} \
	QS_HOOK(result, name##_f, (QS_LIST parameters, void *context, function work)) \
	{ \
		if (!qs_hook_records() || work == NULL) return original(name##_f)(QS_LIST arguments, context, work); \
		struct io_block wrapper = wrap_function(run, queue, context, work); \
		return original(name)(QS_LIST arguments, &wrapper); \
	}
#define QS_LIST(...) __VA_ARGS__

IO_HOOKS(void, dispatch_read, run_data, queue, qs_data_function_t,
	(int file, size_t length, void *queue), (file, length, queue))
IO_HOOKS(void, dispatch_write, run_data, queue, qs_data_function_t,
	(int file, void *data, void *queue), (file, data, queue))

IO_HOOKS(void *, dispatch_io_create, run_cleanup, queue, qs_cleanup_function_t,
	(unsigned long type, int file, void *queue), (type, file, queue))
IO_HOOKS(void *, dispatch_io_create_with_path, run_cleanup, queue, qs_cleanup_function_t,
	(unsigned long type, const char *path, int flags, mode_t mode, void *queue), (type, path, flags, mode, queue))
IO_HOOKS(void *, dispatch_io_create_with_io, run_cleanup, queue, qs_cleanup_function_t,
	(unsigned long type, void *io, void *queue), (type, io, queue))

IO_HOOKS(void, dispatch_io_read, run_channel, queue, qs_channel_function_t,
	(void *channel, off_t offset, size_t length, void *queue), (channel, offset, length, queue))
IO_HOOKS(void, dispatch_io_write, run_channel, queue, qs_channel_function_t,
	(void *channel, off_t offset, void *data, void *queue), (channel, offset, data, queue))
// libdispatch calls a barrier's block as a function, on the channel's queue.
IO_HOOKS(void, dispatch_io_barrier, run_barrier, NULL, qs_function_t, (void *channel), (channel))
