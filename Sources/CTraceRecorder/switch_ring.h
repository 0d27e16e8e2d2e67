// The kernel's record of one thread's context switches: a ring buffer that perf_event_open fills.
//
//	thread A ──event (any processor)──► ring A
//	thread B ──event (any processor)──► ring B
//
// An unprivileged user may have this for the threads of its own processes: the event counts nothing, it only asks for the
// records of context switches.
//
// Why not inherited events, which cover threads from their first instruction: the kernel maps an inherited event only if
// it is bound to one processor, so each thread needs one per processor, and pthread_create and the thread's end make and
// free them all. On a virtual machine with two processors of x86-64, Linux 6.18, in one run; the events of more
// processors are simulated by opening those of the two again:
//
//	inherited events             0       1       2       4       8      16      32      64     128
//	create and join, median     25 µs  1.14 ×  1.22 ×  1.38 ×  1.71 ×  2.25 ×  3.38 ×  5.72 ×  11.0 ×
//	switch between two threads  2.8 µs           1.53 ×                  1.60 ×                  2.07 ×
//
// A quarter of a pthread_create is the most that recording may add, and three processors reach it. An event of the
// thread's own, which the recorder's thread opens, adds nothing to pthread_create, and a switch takes 1.61 × on any number
// of processors. The price is that a thread's switches are recorded only from when the recorder has noticed the thread.
// RecorderProbe measures the first line, as its scenario "thread-cost".
#ifndef QS_SWITCH_RING_H
#define QS_SWITCH_RING_H

#include <stdbool.h>
#include <stdint.h>

enum {
	QS_LONGEST_SWITCH_RECORD = 40, // one that tells of lost records
};

struct perf_event_mmap_page;

struct qs_switch_ring {
	struct perf_event_mmap_page *page; // NULL: closed
	unsigned char *data;
	uint32_t bytes; // a power of two
	uint64_t tail;  // read up to here
	uint64_t head;  // written up to here, at the last qs_switch_ring_fill
};

static const uint32_t QS_UNKNOWN_PROCESSOR = UINT32_MAX;

// One record in a ring, or what takes the place of one that is not there: that has no bytes.
struct qs_switch_record {
	enum qs_switch_kind {
		QS_SWITCH_IN,
		QS_SWITCH_BLOCKED,   // out, and not runnable
		QS_SWITCH_PREEMPTED, // out, and would have run on
		QS_SWITCH_LOST,      // records that found the ring full
		QS_SWITCH_OTHER,
	} kind;
	uint32_t bytes;
	uint32_t processor;
	int64_t time_ns; // CLOCK_MONOTONIC
	uint64_t lost;
};

// Starts recording a thread of this process. The ring gets this many bytes, a power of two, or less where the kernel
// does not allow more. Returns 0, or the errno of what was refused. Allocates: no. Leaves no descriptor open.
int qs_switch_ring_open(struct qs_switch_ring *ring, uint32_t tid, uint32_t bytes);

// What the last qs_switch_ring_open was refused, in words.
const char *qs_switch_ring_refused(void);

// Ends the recording. What was not read is lost.
void qs_switch_ring_close(struct qs_switch_ring *ring);

// How many bytes of records the ring holds now. Records counted here can be read.
uint32_t qs_switch_ring_fill(struct qs_switch_ring *ring);

// Reads the next record that qs_switch_ring_fill counted, without taking it. False when there is none.
bool qs_switch_ring_peek(struct qs_switch_ring *ring, struct qs_switch_record *record);

// Takes the record that was read.
void qs_switch_ring_take(struct qs_switch_ring *ring, const struct qs_switch_record *record);

// Gives the space of the records taken back to the kernel.
void qs_switch_ring_release(struct qs_switch_ring *ring);

#endif
