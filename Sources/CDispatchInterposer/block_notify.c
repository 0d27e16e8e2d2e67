// dispatch_block_notify: submits a block when a work item has finished.
#include "notifications.h"
#include "recording_items.h"
#include "wrapper_blocks.h"

// The wrapper of a notification block without private data.
struct notification_block {
	struct qs_wrapper_block wrapper;
	struct qs_notification *notification;
};

static QS_RUNNER void run_notification(void *block)
{
	struct notification_block *self = block;
	qs_tsan_acquire(self);
	qs_notification_record_submission(self->notification);
	qs_run_as_item((uint64_t)(uintptr_t)self->notification, self->wrapper.inner);
}

static void dispose_notification(const void *block)
{
	qs_notification_release(((const struct notification_block *)block)->notification);
	qs_wrapper_dispose(block);
}

static const struct qs_block_descriptor descriptor = {
	.size = sizeof(struct notification_block), .copy = qs_wrapper_copy, .dispose = dispose_notification};

// Gives the first reference to the work item that the notification waits for. A work item without an entry does not
// report when it has run, so the reference is dropped.
static void wait_for(struct qs_work_item *work, struct qs_notification *notification)
{
	if (work != NULL) {
		qs_work_item_add_notification(work, notification);
	} else {
		qs_notification_release(notification);
	}
}

// Registers the notification with the work item that will run. Without room there, both references are dropped.
static void prepare_work_item(
	struct qs_work_item *work, struct qs_work_item *next, void *queue, struct qs_notification *notification)
{
	if (next != NULL && qs_work_item_submit_notification(next, queue, notification)) {
		wait_for(work, notification);
	} else {
		qs_notification_release(notification);
		qs_notification_release(notification);
	}
}

// Recorded before the call: libdispatch submits the notification at once when the work item has already run.
QS_HOOK(void, dispatch_block_notify, (void *block, void *queue, void *notification_block))
{
	struct qs_notification *notification = NULL;
	bool is_valid = block != NULL && queue != NULL && notification_block != NULL;
	if (qs_hook_records() && is_valid && qs_block_has_private_data(block)) notification = qs_notification_make(queue);
	if (notification == NULL) {
		original(dispatch_block_notify)(block, queue, notification_block);
		return;
	}
	struct qs_work_item *work = qs_work_item_of(block);
	if (qs_block_has_private_data(notification_block)) {
		prepare_work_item(work, qs_work_item_of(notification_block), queue, notification);
		original(dispatch_block_notify)(block, queue, notification_block);
		return;
	}
	notification->code = qs_block_code(notification_block);
	wait_for(work, notification);
	struct notification_block wrapper = {
		.wrapper = qs_wrapper(run_notification, &descriptor, notification_block), .notification = notification};
	original(dispatch_block_notify)(block, queue, &wrapper);
}
