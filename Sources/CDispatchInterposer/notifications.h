// Items that libdispatch submits when a work item has run (dispatch_block_notify). They wait in the work item, whose
// end records their submission: nothing but that end makes libdispatch submit them, unless the work item was cancelled,
// and then nobody sees when. The address is the item's id.
#ifndef QS_NOTIFICATIONS_H
#define QS_NOTIFICATIONS_H

#include "hooks.h"

// Has the memory of a context node, and two owners: the work item that it waits for, and the block that will run.
struct qs_notification {
	struct qs_notification *next;
	uint32_t queue;
	uint32_t code;
	uint8_t qos;
	bool is_barrier;
	bool is_submitted;   // the submission is recorded, or must not be any more
	bool has_one_owner;
};

// A notification with both owners; NULL when there is no memory. `code`, `qos` and `is_barrier` are the caller's to
// set.
struct qs_notification *qs_notification_make(const void *queue);

// One owner needs it no more.
void qs_notification_release(struct qs_notification *notification);

// Records the submission, once.
void qs_notification_record_submission(struct qs_notification *notification);

// Its work item was cancelled.
void qs_notification_record_cancel(struct qs_notification *notification);

// A work item's. All zero is empty, and the work item has not run.
struct qs_notifications {
	struct qs_notification *last;
};

// Adds one; its submission is recorded at once when the work item has run.
void qs_notifications_add(struct qs_notifications *notifications, struct qs_notification *notification);

// The work item has run: records all submissions.
void qs_notifications_submit(struct qs_notifications *notifications);

// The work item goes away.
void qs_notifications_destroy(struct qs_notifications *notifications);

#endif
