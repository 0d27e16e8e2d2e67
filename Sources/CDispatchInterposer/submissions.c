#include "submissions.h"

#include "context_nodes.h"

_Static_assert(sizeof(struct qs_submission) <= sizeof(struct qs_context_node), "a submission has the memory of a node");

enum {
	// Limit for submissions of one work item that are in flight; further submissions are not recorded.
	MOST = 4096,
};

static struct qs_submission *after(struct qs_submission *submission)
{
	// Pairs with the exchange in push.
	return __atomic_load_n(&submission->next, __ATOMIC_ACQUIRE);
}

// The queue and the order are written before the state, and read after it.
static uint64_t state_of(const struct qs_submission *submission)
{
	uint64_t state = __atomic_load_n(&submission->state, __ATOMIC_ACQUIRE);
	return (state & QS_SUBMISSION_BUSY) != 0 ? 0 : state;
}

static bool change(struct qs_submission *submission, uint64_t from, uint64_t to)
{
	return __atomic_compare_exchange_n(&submission->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

// Determines when an iteration has visited all submissions that existed at its beginning, so that it can skip the
// remaining places. A submission in a busy place is not counted as visited; the iteration then visits all places.
struct scan {
	uint32_t order;  // of the first submission that is newer than the iteration
	uint32_t left;   // submissions that are not visited yet
};

static struct scan scan_begin(const struct qs_submissions *submissions)
{
	// Pairs with the addition in fill: the count includes all earlier submissions that are still in flight.
	uint32_t order = __atomic_load_n(&submissions->next_order, __ATOMIC_ACQUIRE);
	return (struct scan){.order = order, .left = __atomic_load_n(&submissions->in_flight, __ATOMIC_RELAXED)};
}

// The next place; NULL when no further place has to be visited.
static struct qs_submission *scan_next(struct scan *scan, struct qs_submission *submission, uint64_t state)
{
	uint32_t order = __atomic_load_n(&submission->order, __ATOMIC_RELAXED);
	if (state != 0 && (int32_t)(order - scan->order) < 0) scan->left--;
	return scan->left != 0 ? after(submission) : NULL;
}

// Counts a submission that was taken out of its place.
static void count_taken(struct qs_submissions *submissions)
{
	// Pairs with the load in scan_begin. Must come after the change of the state.
	__atomic_fetch_sub(&submissions->in_flight, 1, __ATOMIC_RELEASE);
}

static void fill(
	struct qs_submissions *submissions, struct qs_submission *submission, uint64_t state, const void *queue)
{
	__atomic_store_n(&submission->queue, queue, __ATOMIC_RELAXED);
	__atomic_fetch_add(&submissions->in_flight, 1, __ATOMIC_RELAXED);
	uint32_t order = __atomic_fetch_add(&submissions->next_order, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&submission->order, order, __ATOMIC_RELAXED);
	__atomic_store_n(&submission->state, state | QS_SUBMISSION_BUSY, __ATOMIC_RELEASE);
}

// Inserts a place after the first one. Places are never removed, so a concurrent iteration stays valid.
static void push(struct qs_submissions *submissions, struct qs_submission *submission)
{
	struct qs_submission *next = __atomic_load_n(&submissions->first.next, __ATOMIC_RELAXED);
	do {
		submission->next = next;
	} while (!__atomic_compare_exchange_n(
		&submissions->first.next, &next, submission, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

bool qs_submissions_add(struct qs_submissions *submissions, uint64_t state, const void *queue)
{
	// Unrecorded submissions must all have run before a new one is recorded. Otherwise their runs would be matched to
	// later submissions.
	if (qs_likely(__atomic_load_n(&submissions->unrecorded, __ATOMIC_RELAXED) == 0)) {
		for (struct qs_submission *each = &submissions->first; each != NULL; each = after(each)) {
			if (__atomic_load_n(&each->state, __ATOMIC_RELAXED) != 0 || !change(each, 0, QS_SUBMISSION_BUSY)) continue;
			fill(submissions, each, state, queue);
			return true;
		}
		struct qs_context_node *node = NULL;
		if (__atomic_add_fetch(&submissions->made, 1, __ATOMIC_RELAXED) < MOST) node = qs_context_node_take(NULL, NULL);
		if (node != NULL) {
			struct qs_submission *made = (struct qs_submission *)node;
			fill(submissions, made, state, queue);
			push(submissions, made);
			return true;
		}
		__atomic_fetch_sub(&submissions->made, 1, __ATOMIC_RELAXED);
	}
	__atomic_fetch_add(&submissions->unrecorded, 1, __ATOMIC_RELAXED);
	return false;
}

void qs_submissions_publish(struct qs_submissions *submissions, uint64_t item)
{
	for (struct qs_submission *each = &submissions->first; each != NULL; each = after(each)) {
		uint64_t state = __atomic_load_n(&each->state, __ATOMIC_RELAXED);
		if ((state & QS_SUBMISSION_ITEM) != item || (state & QS_SUBMISSION_BUSY) == 0) continue;
		__atomic_store_n(&each->state, state & ~QS_SUBMISSION_BUSY, __ATOMIC_RELEASE);
		// Pairs with the loads in qs_submissions_take.
		__atomic_fetch_add(&submissions->published, 1, __ATOMIC_RELEASE);
		return;
	}
}

// How well a submission matches a run on this queue; 0 when it does not. A sync nearly always runs on its own thread,
// which searches for its own submission first.
static int fitness(uint64_t state, const void *where, const void *queue)
{
	if (where == queue) return (state & QS_SUBMISSION_SYNC) != 0 ? 2 : 3;
	return where == NULL ? 1 : 0;
}

uint64_t qs_submissions_take(struct qs_submissions *submissions, const void *queue, const struct qs_sync_call *call)
{
	if (call != NULL) {
		uint64_t state = qs_submissions_remove(submissions, (uint64_t)(uintptr_t)call);
		if (state != 0) return state;
	}
	for (;;) {
		uint32_t published = __atomic_load_n(&submissions->published, __ATOMIC_ACQUIRE);
		struct qs_submission *best = NULL;
		uint64_t best_state = 0;
		uint32_t best_order = 0;
		int best_fitness = 0;
		struct scan scan = scan_begin(submissions);
		uint64_t state;
		for (struct qs_submission *each = &submissions->first; each != NULL; each = scan_next(&scan, each, state)) {
			state = state_of(each);
			if (state == 0) continue;
			int fits = fitness(state, __atomic_load_n(&each->queue, __ATOMIC_RELAXED), queue);
			uint32_t order = __atomic_load_n(&each->order, __ATOMIC_RELAXED);
			if (fits == 0 || fits < best_fitness) continue;
			// Prefer the oldest; the counter may wrap.
			if (fits == best_fitness && (int32_t)(order - best_order) > 0) continue;
			best = each;
			best_state = state;
			best_order = order;
			best_fitness = fits;
		}
		if (best == NULL) {
			// Another run may have taken this run's submission and left its own in a place that was already visited.
			if (__atomic_load_n(&submissions->published, __ATOMIC_ACQUIRE) == published) return 0;
			continue;
		}
		// The state contains the id, so the exchange fails when the place was taken and filled again.
		if (qs_likely(change(best, best_state, 0))) {
			count_taken(submissions);
			return best_state;
		}
	}
}

uint64_t qs_submissions_remove(struct qs_submissions *submissions, uint64_t item)
{
	struct scan scan = scan_begin(submissions);
	uint64_t state;
	for (struct qs_submission *each = &submissions->first; each != NULL; each = scan_next(&scan, each, state)) {
		state = state_of(each);
		while (state != 0 && (state & QS_SUBMISSION_ITEM) == item) {
			if (change(each, state, 0)) {
				count_taken(submissions);
				return state;
			}
			state = state_of(each);
		}
	}
	return 0;
}

void qs_submissions_cancel(struct qs_submissions *submissions, void (*cancelled)(uint64_t state))
{
	for (struct qs_submission *each = &submissions->first; each != NULL; each = after(each)) {
		uint64_t state = state_of(each);
		if (state == 0 || (state & QS_SUBMISSION_CANCELLED) != 0) continue;
		uint64_t marked = state | QS_SUBMISSION_CANCELLED;
		// The run that takes a notification's submission may free the notification, so its place stays busy.
		bool is_kept = (state & QS_SUBMISSION_NOTIFICATION) != 0;
		// Fails when the run begins at this moment; the submission is not cancelled then.
		if (!change(each, state, is_kept ? marked | QS_SUBMISSION_BUSY : marked)) continue;
		cancelled(state);
		if (is_kept) __atomic_store_n(&each->state, marked, __ATOMIC_RELEASE);
	}
}

bool qs_submissions_take_unrecorded(struct qs_submissions *submissions)
{
	uint32_t count = __atomic_load_n(&submissions->unrecorded, __ATOMIC_RELAXED);
	while (count != 0) {
		if (__atomic_compare_exchange_n(
				&submissions->unrecorded, &count, count - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			return true;
		}
	}
	return false;
}

void qs_submissions_destroy(struct qs_submissions *submissions, void (*drop)(uint64_t state))
{
	// The last release of the block orders this after all changes by other threads. ThreadSanitizer does not see that
	// counter. It sees these loads, which pair with the changes themselves.
	struct qs_submission *next = &submissions->first;
	while (next != NULL) {
		struct qs_submission *each = next;
		next = after(each);
		uint64_t state = __atomic_load_n(&each->state, __ATOMIC_ACQUIRE);
		if (state != 0) drop(state);
		if (each != &submissions->first) qs_context_node_give((struct qs_context_node *)each);
	}
}
