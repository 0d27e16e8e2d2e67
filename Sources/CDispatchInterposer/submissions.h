// The submissions of one work item that have not begun. Several threads may submit, run and cancel the same work item:
// nothing here waits for another thread.
#ifndef QS_SUBMISSIONS_H
#define QS_SUBMISSIONS_H

#include "hooks.h"

// Memory of a context node, but for the first one of a work item.
struct qs_submission {
	struct qs_submission *next;
	uint64_t state;      // the item's id and flags; 0 when it is free, then anybody may take it
	const void *queue;   // where it will run; NULL when that is not known yet
	uint32_t order;
};

#define QS_SUBMISSION_ITEM ((1ull << 48) - 1)
#define QS_SUBMISSION_BUSY (1ull << 63)          // for the others it is not there, but not free either
#define QS_SUBMISSION_CANCELLED (1ull << 62)
#define QS_SUBMISSION_SYNC (1ull << 61)          // the id is the address of its qs_sync_call
#define QS_SUBMISSION_NOTIFICATION (1ull << 60)  // the id is the address of its qs_notification

// All zero is empty.
struct qs_submissions {
	struct qs_submission first;  // nearly always the only one
	uint32_t next_order;
	uint32_t made;               // besides the first
	uint32_t published;          // counts them
	uint32_t in_flight;          // at least as many as there are that have an order and are not taken
	uint32_t unrecorded;         // in flight, and not among them as there was no room
};

// Notes a submission, which stays busy until it is published; false when there is no room.
bool qs_submissions_add(struct qs_submissions *submissions, uint64_t state, const void *queue);

// The others may see the submission with this id.
void qs_submissions_publish(struct qs_submissions *submissions, uint64_t item);

// Takes the submission that a run on this queue belongs to, and returns its state; 0 when there is none. `call`, when
// not NULL, is the sync that this thread is in: if it submitted, the run is its own.
uint64_t qs_submissions_take(struct qs_submissions *submissions, const void *queue, const struct qs_sync_call *call);

// Takes the submission with this id, and returns its state; 0 when it is not there any more.
uint64_t qs_submissions_remove(struct qs_submissions *submissions, uint64_t item);

// Marks all as cancelled and calls `cancelled` with the state of each that was not; a notification stays alive
// meanwhile.
void qs_submissions_cancel(struct qs_submissions *submissions, void (*cancelled)(uint64_t state));

// Whether the run that found no submission is that of one that was not noted; it counts as ended then.
bool qs_submissions_take_unrecorded(struct qs_submissions *submissions);

// Gives the memory back and calls `drop` with the state of each that is left. Nobody else knows the submissions any
// more.
void qs_submissions_destroy(struct qs_submissions *submissions, void (*drop)(uint64_t state));

#endif
