// The kernel's record of this process's context switches: one ring buffer per processor, filled through
// perf_event_open.
//
//	thread A  ──event A0──┐               ┌──event A1── thread A
//	thread B  ──event B0──┼─► ring 0      ├─► ring 1 ...
//	          (inherited) ┘               └
//
// An ordinary user may have this for the threads of its own process: the event counts nothing, it only asks for the
// records of context switches. Threads that exist at the start have an event of their own on each processor, those made
// later inherit their maker's.
#ifndef QS_SWITCH_RINGS_H
#define QS_SWITCH_RINGS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	QS_MAX_PROCESSORS = 1024,
	// 16,384 switches between two looks at a ring. What perf_event_mlock_kb lets an ordinary user have per processor.
	QS_LARGEST_RING = 512 * 1024,
	QS_SMALLEST_RING = 16 * 1024,
	QS_LONGEST_RECORD = 48, // bytes
	// On machines with many processors the rings are smaller: this much locked memory at most.
	QS_ALL_RINGS = 32 * 1024 * 1024,
};

// What one record in a ring says.
struct qs_switch_record {
	enum qs_switch_kind {
		QS_SWITCH_IN,
		QS_SWITCH_BLOCKED,   // out, and not runnable
		QS_SWITCH_PREEMPTED, // out, and would have run on
		QS_SWITCH_LOST,      // records that found the ring full
		QS_SWITCH_OTHER,
	} kind;
	uint32_t pid;
	uint32_t tid;
	int64_t time_ns; // CLOCK_MONOTONIC
	uint64_t lost;
};

// Opens the rings for all threads of the process but the calling one. Returns 0, or the errno of the first refusal.
// Context: a thread that starts no threads, and from now on has descriptors of its own; the events of threads other
// than `starter_tid` and their children last as long as it does.
int qs_switch_rings_open(uint32_t starter_tid);

// What was refused, for the reader of the trace. Context: after qs_switch_rings_open failed.
const char *qs_switch_rings_refused(void);

// Ends the recording and unmaps the rings.
void qs_switch_rings_close(void);

// In a forked child, which has none of the mappings.
void qs_switch_rings_forget(void);

// Processors that have, or may have, a ring, and the size of each ring in bytes.
uint32_t qs_switch_rings_count(void);
uint32_t qs_switch_rings_bytes(void);

// Threads that ran before the session and whose switches are not recorded, for want of descriptors.
uint32_t qs_switch_rings_uncovered(void);

// How many bytes of records a ring holds now. What is counted here can be read.
uint32_t qs_switch_ring_fill(uint32_t processor);

// Takes the next of the records that the last qs_switch_ring_fill counted. False when there is no more.
bool qs_switch_ring_next(uint32_t processor, struct qs_switch_record *record);

// Gives what was taken back to the kernel.
void qs_switch_ring_release(uint32_t processor);

#endif
