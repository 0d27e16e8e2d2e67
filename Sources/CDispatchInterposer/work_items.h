// Blocks with private data (dispatch_block_create, so every DispatchWorkItem and every async with QoS or flags). They
// go to libdispatch untouched; what is recorded is the block inside them, wrapped when they are made. A work item may
// be submitted many times, also at the same time and to several queues: the runs are matched to the submissions by the
// queue they run on, oldest first.
#ifndef QS_WORK_ITEMS_H
#define QS_WORK_ITEMS_H

#include "blocks.h"

// The recorded side of a block with private data; lives inside the wrapper block, as long as it.
struct qs_work_item;
struct qs_notification;

// The work item of a block with private data, NULL when it was made before the hooks were there.
struct qs_work_item *qs_work_item_of(const void *block);

// Notes a submission and returns the id for its item. `queue` NULL: not known yet (it runs when something else
// happens). `call` is the sync that submits it, else NULL. Returns 0 when too many submissions are in flight: then do
// not record it. Else record it, call the next function, and only then libdispatch.
uint64_t qs_work_item_submit(struct qs_work_item *work, const void *queue, struct qs_sync_call *call);

// The submission is recorded; from here on it can be cancelled and run. Records that it is cancelled when the work item
// is.
void qs_work_item_submitted(struct qs_work_item *work, uint64_t item);

// Takes a submission back that will not run (a sync that returned without running a cancelled item).
void qs_work_item_withdraw(struct qs_work_item *work, uint64_t item);

// Makes it a handler of a source: runs without a submission are then the handler's.
void qs_work_item_attach(struct qs_work_item *work, void *source, uint8_t handler);

// Submits it as a notification of another work item, and says in the notification what it is. False when too many
// submissions are in flight.
bool qs_work_item_submit_notification(
	struct qs_work_item *work, const void *queue, struct qs_notification *notification);

// A notification that is submitted when the work item has run.
void qs_work_item_add_notification(struct qs_work_item *work, struct qs_notification *notification);

uint32_t qs_work_item_code(const struct qs_work_item *work);
uint8_t qs_work_item_qos(const struct qs_work_item *work);
bool qs_work_item_is_barrier(const struct qs_work_item *work);

#endif
