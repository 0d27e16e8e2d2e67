// The submissions of one work item that have not begun. Several threads may submit, run and cancel the same work item
// at the same time. All functions are lock-free.
#ifndef QS_SUBMISSIONS_H
#define QS_SUBMISSIONS_H

#include "hooks.h"

// Uses the memory of a context node, except for the first submission of a work item.
struct qs_submission {
	struct qs_submission *next;
	uint64_t state;      // the item's id and flags; 0: the place is free for any thread
	const void *queue;   // the queue it will run on; NULL when it is not known yet
	uint32_t order;
};

#define QS_SUBMISSION_ITEM ((1ull << 48) - 1)
#define QS_SUBMISSION_BUSY (1ull << 63)          // invisible to other threads, but not free
#define QS_SUBMISSION_CANCELLED (1ull << 62)
#define QS_SUBMISSION_SYNC (1ull << 61)          // the id is the address of its qs_sync_call
#define QS_SUBMISSION_NOTIFICATION (1ull << 60)  // the id is the address of its qs_notification
#define QS_SUBMISSION_SKIPPED (1ull << 59)       // sampling leaves it out: none of its events is recorded

// All zero is empty.
struct qs_submissions {
	struct qs_submission first;  // nearly always the only one
	uint32_t next_order;
	uint32_t made;               // places besides the first
	uint32_t published;          // number of published submissions
	uint32_t in_flight;          // upper bound of the submissions that have an order and are not taken
	uint32_t unrecorded;         // in flight, but not recorded because there was no room
};

// Adds a submission, which stays busy until it is published. Returns false when there is no room.
bool qs_submissions_add(struct qs_submissions *submissions, uint64_t state, const void *queue);

// Makes the submission with this id visible to other threads.
void qs_submissions_publish(struct qs_submissions *submissions, uint64_t item);

// Takes the submission that a run on this queue belongs to, and returns its state; 0 when there is none. If `call` is
// not NULL, it is the sync that this thread is in; a submission by that sync is taken first.
uint64_t qs_submissions_take(struct qs_submissions *submissions, const void *queue, const struct qs_sync_call *call);

// Takes the submission with this id and returns its state; 0 when it is no longer there.
uint64_t qs_submissions_remove(struct qs_submissions *submissions, uint64_t item);

// Marks all submissions as cancelled and calls `cancelled` with the state of each that was not cancelled before. A
// notification stays alive during its call.
void qs_submissions_cancel(struct qs_submissions *submissions, void (*cancelled)(uint64_t state));

// Called for a run without a submission. Returns whether an unrecorded submission is in flight, and removes one.
bool qs_submissions_take_unrecorded(struct qs_submissions *submissions);

// Releases the memory and calls `drop` with the state of each remaining submission. No other thread may use the
// submissions any more.
void qs_submissions_destroy(struct qs_submissions *submissions, void (*drop)(uint64_t state));

#endif
