// The threads whose context switches are recorded, each with its ring (switch_ring.h).
//
//	UNUSED ──thread noticed──► RECORDED ──too hot──► PAUSED ──budget refilled──► RECORDED
//	                      └──► REFUSED                          (all but UNUSED) ──thread ended──► UNUSED
//
// New threads are found within milliseconds of their first event, other threads within a second, or two with 10,000
// threads. Threads that end between two scans are never found. All functions run on the recorder thread, unless stated
// otherwise.
#ifndef QS_SWITCH_THREADS_H
#define QS_SWITCH_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "initial_off_cpu.h"
#include "switch_ring.h"

struct qs_switch_thread {
	uint32_t tid;
	enum qs_switch_state {
		QS_SWITCHES_UNUSED,
		QS_SWITCHES_RECORDED,
		QS_SWITCHES_PAUSED,
		QS_SWITCHES_REFUSED,
	} state;
	uint32_t scan;   // the last scan that found the thread
	bool was_full;   // the ring was full at its last reading
	uint32_t recent; // number of records, halved at every drain
	int64_t resume_ns;
	int64_t left_ns; // start of a blocked period that has no sample yet; 0: none
	struct qs_initial_off_cpu initial;
	struct qs_switch_ring ring;
	struct qs_switch_record next;
};

// Begins without threads.
void qs_switch_threads_start(void);

// Opens the ring of a thread. Returns 0, or errno.
int qs_switch_threads_add(uint32_t tid);

// Opens the rings of all new threads. Skips threads of the recorder.
void qs_switch_threads_scan(int64_t now_ns);

// The same, if a scan is due or requested, and the pause after the last one is over.
void qs_switch_threads_scan_if_due(int64_t now_ns);

// Requests a scan. Returns whether this is the first request since the last scan. Context: any thread.
bool qs_switch_threads_request_scan(void);

// Time of the requested scan, INT64_MAX when none is requested.
int64_t qs_switch_threads_requested_ns(void);

// The entries, some of which are unused. Numbers begin with 0.
uint32_t qs_switch_threads_count(void);
struct qs_switch_thread *qs_switch_thread_at(uint32_t number);

// Opens the ring of an entry again. Returns 0, or errno; the state changes accordingly.
int qs_switch_thread_reopen(struct qs_switch_thread *thread);

// Whether the last scan did not find the thread: it has ended, and its ring has all its records.
bool qs_switch_thread_has_ended(const struct qs_switch_thread *thread);

// Number of running threads that are not recorded, because locked memory is exhausted.
uint32_t qs_switch_threads_uncovered(void);

// Forgets all threads.
void qs_switch_threads_forget(void);

#endif
