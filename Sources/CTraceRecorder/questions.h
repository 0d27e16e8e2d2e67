// Questions to blocked threads: where are you? (blocked_calls.h). A token bucket keeps them to so many a second, and as
// many at once.
#ifndef QS_QUESTIONS_H
#define QS_QUESTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "switch_ring.h"

enum {
	QS_QUESTIONS_PER_SECOND = 250,
	// A thread that stays off its processor for so long is asked.
	QS_QUESTION_AFTER_NS = 5 * 1000 * 1000,
};

struct qs_questions {
	int64_t spent_until_ns; // CLOCK_MONOTONIC: what was asked so far has used up the time until then
	int seccomp;            // the calling thread's mode when they began
};

// Nothing was asked so far. Context: the recorder's thread.
void qs_questions_start(struct qs_questions *questions);

// Whether threads may be asked anything. Never after the program has put a filter on system calls: it may end the
// process for those by which the recorder asks.
bool qs_questions_are_allowed(const struct qs_questions *questions);

// Whether a thread that blocked at `left_ns` is to be asked now; then the question counts.
bool qs_question_is_due(struct qs_questions *questions, int64_t left_ns, int64_t now_ns);

// Asks the thread of this ring, and writes its answer with this time into the calling thread's stream, unless the
// thread has run since the ring was last read. Context: the recorder's thread.
void qs_question_ask(struct qs_switch_ring *ring, uint32_t tid, uint64_t ticks);

#endif
