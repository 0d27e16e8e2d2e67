// Items that libdispatch submits when a work item has run (dispatch_block_notify). They are stored in the work item,
// and the end of its run records their submission. When the work item is cancelled instead, no hook sees the
// submission. The address of a notification is its item's id.
#ifndef QS_NOTIFICATIONS_H
#define QS_NOTIFICATIONS_H

#include "hooks.h"

// Uses the memory of a context node. Has two owners: the work item that it waits for, and the block that will run.
struct qs_notification {
	struct qs_notification *next;
	uint64_t queue;      // serial number
	uint32_t code;
	uint8_t qos;
	bool is_barrier;
	bool is_submitted;   // the submission is recorded, or must no longer be recorded
	bool has_one_owner;
};

// Makes a notification with both owners; NULL when there is no memory. The caller sets `code`, `qos` and `is_barrier`.
struct qs_notification *qs_notification_make(const void *queue);

// Releases one owner's reference.
void qs_notification_release(struct qs_notification *notification);

// Records the submission, once.
void qs_notification_record_submission(struct qs_notification *notification);

// Records the cancellation of the work item for which the notification was submitted.
void qs_notification_record_cancel(struct qs_notification *notification);

// The notifications of a work item. All zero means: empty, and the work item has not run.
struct qs_notifications {
	struct qs_notification *last;
};

// Adds a notification. If the work item has already run, records the submission at once.
void qs_notifications_add(struct qs_notifications *notifications, struct qs_notification *notification);

// Records all submissions: the work item has run.
void qs_notifications_submit(struct qs_notifications *notifications);

// Releases all notifications: the work item is freed.
void qs_notifications_destroy(struct qs_notifications *notifications);

#endif
