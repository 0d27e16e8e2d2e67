// Threads with a pending context switch, ordered by its time: merges the rings of all threads into one stream.
#ifndef QS_SWITCH_HEAP_H
#define QS_SWITCH_HEAP_H

#include <stdint.h>

enum { QS_SWITCH_THREADS = 1024 };

struct qs_switch_heap {
	uint32_t count;
	struct qs_switch_turn {
		int64_t time_ns; // of the thread's next record
		uint32_t thread;
	} turns[QS_SWITCH_THREADS];
};

// At most QS_SWITCH_THREADS threads, each once.
void qs_switch_heap_add(struct qs_switch_heap *heap, struct qs_switch_turn turn);

// Updates the first thread: its next record has this time.
void qs_switch_heap_put_off_first(struct qs_switch_heap *heap, int64_t time_ns);

// Removes the first thread, which has no further record.
void qs_switch_heap_remove_first(struct qs_switch_heap *heap);

#endif
