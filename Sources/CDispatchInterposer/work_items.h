// Blocks with private data (dispatch_block_create: every DispatchWorkItem and every async with QoS or flags). They are
// passed to libdispatch unchanged. The block inside is wrapped at its creation, and the wrapper records the runs. A
// work item may be submitted many times, also concurrently and to several queues. A run is matched to the oldest
// submission to the queue that it runs on.
#ifndef QS_WORK_ITEMS_H
#define QS_WORK_ITEMS_H

#include "blocks.h"

// The recorded state of a block with private data. It is part of the wrapper block and has its lifetime.
struct qs_work_item;
struct qs_notification;

// The work item of a block with private data; NULL when it was created before the hooks were active.
struct qs_work_item *qs_work_item_of(const void *block);

// Notes a submission and returns the id of its item. `queue` is NULL when it is not known yet (the item runs after
// another event). `call` is the sync that submits the item, or NULL. Returns 0 when too many submissions are in flight;
// the caller must not record it then. Otherwise the caller records the submission, calls qs_work_item_submitted, and
// then calls libdispatch.
uint64_t qs_work_item_submit(struct qs_work_item *work, const void *queue, struct qs_sync_call *call);

// The same for an item that sampling leaves out (qs_skips_item).
uint64_t qs_work_item_submit_skipped(struct qs_work_item *work, const void *queue);

// Call after the submission was recorded. From then on it can be cancelled and run. If the work item was cancelled,
// records the cancellation.
void qs_work_item_submitted(struct qs_work_item *work, uint64_t item);

// Withdraws a submission that will not run (a sync that returned without running a cancelled item).
void qs_work_item_withdraw(struct qs_work_item *work, uint64_t item);

// Makes the work item a handler of a source: runs without a submission are then runs of the handler.
void qs_work_item_attach(struct qs_work_item *work, void *source, uint8_t handler);

// Submits the work item as a notification of another work item, and sets the description in the notification. Returns
// false when too many submissions are in flight.
bool qs_work_item_submit_notification(
	struct qs_work_item *work, const void *queue, struct qs_notification *notification);

// Adds a notification that is submitted when the work item has run.
void qs_work_item_add_notification(struct qs_work_item *work, struct qs_notification *notification);

uint32_t qs_work_item_code(const struct qs_work_item *work);
uint8_t qs_work_item_qos(const struct qs_work_item *work);
bool qs_work_item_is_barrier(const struct qs_work_item *work);

#endif
