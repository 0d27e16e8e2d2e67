#define _GNU_SOURCE
#include "switch_threads.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "../Events/clock.h"
#include "../Events/identity.h"
#include "../Events/recorder.h"
#include "../System/task_list.h"
#include "CTraceRecorder.h"
#include "blocked_calls.h"
#include "switch_heap.h"

enum {
	LARGEST_RING = 128 * 1024, // with few threads: 5,461 records
	// Shortest time between two scans of the threads: a scan of a burst of short-lived threads finds few of them.
	SCAN_PAUSE_NS = 2 * 1000 * 1000,
	// The pause after a scan, as a multiple of the scan's processor time: scans take at most 2 % of a processor. The
	// opening of rings does not count, because it happens once per thread.
	SCAN_REST = 50,
	// The same for scans that no thread requested, of which most find nothing new: at most 0.5 % of a processor.
	IDLE_SCAN_REST = 200,
	// The table of threads is at most a quarter full.
	TID_BITS = 12,
	TID_SLOTS = 1 << TID_BITS,
};

static struct {
	struct qs_switch_thread threads[QS_SWITCH_THREADS];
	uint16_t table[TID_SLOTS]; // entries by tid: index + 1, 0: none; built for every scan
	int64_t opening_ns;     // processor time of opening rings in this scan
	uint32_t next_unused;   // entries before it are in use in this scan
	uint32_t used;          // entries that are or were in use
	uint32_t own_tid;
	uint32_t scan;          // number of the current scan
	bool wants_scan;        // atomic: a scan is requested
	int64_t next_scan_ns;   // earliest time of the next scan
	int64_t idle_scan_ns;   // time of the next scan without a request: a whole second
	uint32_t overflow;      // threads beyond QS_SWITCH_THREADS in this scan
} set;

void qs_switch_threads_start(void)
{
	memset(&set, 0, sizeof set);
	set.own_tid = qs_current_tid();
}

uint32_t qs_switch_threads_count(void)
{
	return set.used;
}

struct qs_switch_thread *qs_switch_thread_at(uint32_t number)
{
	return &set.threads[number];
}

bool qs_switch_thread_has_ended(const struct qs_switch_thread *thread)
{
	return thread->scan != set.scan;
}

// MARK: Entries by thread id

static uint32_t tid_slot(uint32_t tid)
{
	return tid * 0x9E3779B1u >> (32 - TID_BITS);
}

static void add_to_table(const struct qs_switch_thread *thread)
{
	uint32_t slot = tid_slot(thread->tid);
	while (set.table[slot] != 0) slot = (slot + 1) % TID_SLOTS;
	set.table[slot] = (uint16_t)(thread - set.threads + 1);
}

static void build_table(void)
{
	memset(set.table, 0, sizeof set.table);
	set.next_unused = 0;
	for (uint32_t index = 0; index < set.used; index++) {
		if (set.threads[index].state != QS_SWITCHES_UNUSED) add_to_table(&set.threads[index]);
	}
}

static struct qs_switch_thread *find(uint32_t tid)
{
	for (uint32_t slot = tid_slot(tid); set.table[slot] != 0; slot = (slot + 1) % TID_SLOTS) {
		struct qs_switch_thread *thread = &set.threads[set.table[slot] - 1];
		if (thread->state != QS_SWITCHES_UNUSED && thread->tid == tid) return thread;
	}
	return NULL;
}

static struct qs_switch_thread *find_unused(void)
{
	for (; set.next_unused < set.used; set.next_unused++) {
		if (set.threads[set.next_unused].state == QS_SWITCHES_UNUSED) return &set.threads[set.next_unused++];
	}
	if (set.used == QS_SWITCH_THREADS) return NULL;
	set.next_unused = set.used + 1;
	return &set.threads[set.used++];
}

// MARK: Rings

// Locked memory is scarce. The rings of up to 32 threads take 4 MiB, of up to 256 threads 8 MiB, of all threads 8 MiB.
static uint32_t ring_bytes(void)
{
	return set.used <= 32 ? LARGEST_RING : set.used <= 256 ? LARGEST_RING / 4 : LARGEST_RING / 16;
}

static int open_ring(struct qs_switch_thread *thread)
{
	int64_t begin_ns = qs_clock_system(CLOCK_THREAD_CPUTIME_ID);
	int error = qs_switch_ring_open(&thread->ring, thread->tid, ring_bytes());
	bool may_read = qs_blocked_calls_are_allowed();
	if (error == 0) thread->initial = qs_initial_off_cpu_read(thread->tid, may_read);
	set.opening_ns += qs_clock_system(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	return error;
}

int qs_switch_thread_reopen(struct qs_switch_thread *thread)
{
	int error = open_ring(thread);
	thread->state = error == 0 ? QS_SWITCHES_RECORDED : error == ESRCH ? QS_SWITCHES_UNUSED : QS_SWITCHES_REFUSED;
	return error;
}

int qs_switch_threads_add(uint32_t tid)
{
	struct qs_switch_thread *thread = find_unused();
	if (thread == NULL) {
		set.overflow += 1;
		return ENOMEM;
	}
	memset(thread, 0, sizeof *thread);
	thread->tid = tid;
	int error = open_ring(thread);
	if (error == ESRCH) return error; // the thread has ended
	thread->scan = set.scan;
	thread->state = error == 0 ? QS_SWITCHES_RECORDED : QS_SWITCHES_REFUSED;
	add_to_table(thread);
	return error;
}

// MARK: Scans

static void note_thread(uint32_t tid, void *unused)
{
	(void)unused;
	if (tid == set.own_tid || qs_recorder_owns(tid)) return;
	struct qs_switch_thread *thread = find(tid);
	if (thread != NULL) thread->scan = set.scan;
	else qs_switch_threads_add(tid);
}

void qs_switch_threads_scan(int64_t now_ns)
{
	int64_t begin_ns = qs_clock_system(CLOCK_THREAD_CPUTIME_ID);
	__atomic_store_n(&set.wants_scan, false, __ATOMIC_RELAXED);
	set.scan += 1;
	set.overflow = 0;
	set.opening_ns = 0;
	build_table();
	if (!qs_tasks_visit(note_thread, NULL)) {
		for (uint32_t index = 0; index < set.used; index++) set.threads[index].scan = set.scan;
	}
	int64_t used_ns = qs_clock_system(CLOCK_THREAD_CPUTIME_ID) - begin_ns - set.opening_ns;
	int64_t pause_ns = used_ns * SCAN_REST;
	set.next_scan_ns = now_ns + (pause_ns > SCAN_PAUSE_NS ? pause_ns : SCAN_PAUSE_NS);
	set.idle_scan_ns = qs_clock_next_second(now_ns + used_ns * IDLE_SCAN_REST, qs_identity.started.monotonic_ns);
}

void qs_switch_threads_scan_if_due(int64_t now_ns)
{
	bool is_wanted = __atomic_load_n(&set.wants_scan, __ATOMIC_RELAXED);
	if (now_ns >= set.next_scan_ns && (is_wanted || now_ns >= set.idle_scan_ns)) qs_switch_threads_scan(now_ns);
}

bool qs_switch_threads_request_scan(void)
{
	return !__atomic_exchange_n(&set.wants_scan, true, __ATOMIC_RELAXED);
}

int64_t qs_switch_threads_requested_ns(void)
{
	return __atomic_load_n(&set.wants_scan, __ATOMIC_RELAXED) ? set.next_scan_ns : INT64_MAX;
}

uint32_t qs_switch_threads_uncovered(void)
{
	uint32_t count = set.overflow;
	for (uint32_t index = 0; index < set.used; index++) count += set.threads[index].state == QS_SWITCHES_REFUSED;
	return count;
}

void qs_switch_threads_forget(void)
{
	set.used = 0;
}
