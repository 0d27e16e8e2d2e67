// Context switches of one thread, as the kernel records them: a ring buffer of perf_event_open.
//
//	thread A ──event (any processor)──► ring A
//	thread B ──event (any processor)──► ring B
//
// An unprivileged user may open this event for threads of its own processes: it counts nothing, and only enables the
// records of context switches.
//
// Inherited events would cover threads from their first instruction, but they are too expensive: the kernel maps an
// inherited event only if it is bound to one processor, so each thread needs one event per processor, which
// pthread_create allocates and the thread's end frees. Measured on a virtual machine with two processors of x86-64,
// Linux 6.18, in one run; more processors are simulated by opening the events of the two processors several times:
//
//	inherited events             0       1       2       4       8      16      32      64     128
//	create and join, median     25 µs  1.14 ×  1.22 ×  1.38 ×  1.71 ×  2.25 ×  3.38 ×  5.72 ×  11.0 ×
//	switch between two threads  2.8 µs           1.53 ×                  1.60 ×                  2.07 ×
//
// Recording may add at most a quarter to pthread_create, and three processors already exceed that. An event per thread,
// opened by the recorder thread, adds nothing to pthread_create, and a switch takes 1.61 × on any number of processors.
// The disadvantage is that a thread's switches are recorded only after the recorder has found the thread. RecorderProbe
// measures the first line in its scenario "thread-cost".
#ifndef QS_SWITCH_RING_H
#define QS_SWITCH_RING_H

#include <stdbool.h>
#include <stdint.h>

enum {
	QS_LONGEST_SWITCH_RECORD = 40, // a record of lost records
};

struct perf_event_mmap_page;

struct qs_switch_ring {
	struct perf_event_mmap_page *page; // NULL: closed
	unsigned char *data;
	uint32_t bytes; // a power of two
	uint64_t tail;  // position up to which records were read
	uint64_t head;  // position up to which records were written, at the last qs_switch_ring_fill
};

static const uint32_t QS_UNKNOWN_PROCESSOR = UINT32_MAX;

// A record of a ring, or an inserted record that replaces a missing one; that one has no bytes.
struct qs_switch_record {
	enum qs_switch_kind {
		QS_SWITCH_IN,
		QS_SWITCH_BLOCKED,   // switched out, not runnable
		QS_SWITCH_PREEMPTED, // switched out while runnable
		QS_SWITCH_LOST,      // records that did not fit in the ring
		QS_SWITCH_OTHER,
	} kind;
	uint32_t bytes;
	uint32_t processor;
	int64_t time_ns; // CLOCK_MONOTONIC
	uint64_t lost;
};

// Starts recording a thread of this process. The ring has this many bytes, a power of two, or fewer if the kernel
// refuses that size. Returns 0, or errno. Allocates: no. Leaves no descriptor open.
int qs_switch_ring_open(struct qs_switch_ring *ring, uint32_t tid, uint32_t bytes);

// Describes why the last qs_switch_ring_open failed.
const char *qs_switch_ring_refused(void);

// Ends the recording. Unread records are lost.
void qs_switch_ring_close(struct qs_switch_ring *ring);

// Number of bytes of records that the ring now has. These records can then be read.
uint32_t qs_switch_ring_fill(struct qs_switch_ring *ring);

// Reads the next record that qs_switch_ring_fill counted, without removing it. Returns false when there is none.
bool qs_switch_ring_peek(struct qs_switch_ring *ring, struct qs_switch_record *record);

// Removes the record that was read.
void qs_switch_ring_take(struct qs_switch_ring *ring, const struct qs_switch_record *record);

// Returns the space of the removed records to the kernel.
void qs_switch_ring_release(struct qs_switch_ring *ring);

#endif
