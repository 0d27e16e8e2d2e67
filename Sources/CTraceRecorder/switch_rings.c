#define _GNU_SOURCE
#include "switch_rings.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "include/CTraceRecorder.h"
#include "task_list.h"

enum {
	MAX_THREADS = 4096, // that run before the session
	MAX_ROUNDS = 8,     // looks for threads that were made while the events were opened
	SPARE_DESCRIPTORS = 32,
};

struct ring {
	struct perf_event_mmap_page *page; // NULL when the processor is offline
	unsigned char *data;
	uint64_t tail;
	uint64_t head;
};

static struct ring rings[QS_MAX_PROCESSORS];
static uint32_t ring_count;
static uint32_t ring_bytes;
static const char *refused;

// As the kernel writes it behind every record, for the sample type below: no more than is needed, for it is written within every context switch. The processor is the ring's.
struct sample_id {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
};

static int open_event(uint32_t tid, uint32_t processor, int output)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.inherit = 1,
		.inherit_thread = 1, // not by forked children
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;
	if (output >= 0) flags |= PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT;
	int event = (int)syscall(SYS_perf_event_open, &attributes, tid, processor, output, flags);
	if (event >= 0 || errno != EINVAL) return event;
	attributes.inherit_thread = 0; // Linux before 5.13: the records of children are told by their pid
	return (int)syscall(SYS_perf_event_open, &attributes, tid, processor, output, flags);
}

// The threads that have an event on the processor whose ring is being opened.
static struct {
	bool has_own_descriptors; // this thread's are not those of the program
	uint32_t processor;
	int output;
	uint32_t count;
	uint32_t tids[MAX_THREADS];
	uint32_t missed; // threads without an event
} covering;

static void cover(uint32_t tid, void *unused)
{
	(void)unused;
	for (uint32_t index = 0; index < covering.count; index++) {
		if (covering.tids[index] == tid) return;
	}
	if (covering.count == MAX_THREADS) return;
	covering.tids[covering.count++] = tid;
	// The descriptor stays open, for it is all that keeps this event alive.
	int event = covering.has_own_descriptors ? open_event(tid, covering.processor, covering.output) : -1;
	bool has_ended = covering.has_own_descriptors && event < 0 && errno == ESRCH;
	if (event < 0 && !has_ended) covering.missed += 1;
}

// Has the events of all threads but these two write into the ring of `output`.
static void cover_others(uint32_t processor, int output, uint32_t starter_tid)
{
	covering.processor = processor;
	covering.output = output;
	covering.count = 2;
	covering.tids[0] = starter_tid;
	covering.tids[1] = qs_current_tid();
	covering.missed = 0;
	// A thread that was made meanwhile by one without an event has none. One made by one with an event gets a second;
	// the reader of the rings leaves out what is said twice.
	uint32_t before = 0;
	for (int round = 0; round < MAX_ROUNDS && covering.count != before; round++) {
		before = covering.count;
		if (!qs_tasks_visit(cover, NULL)) break;
	}
}

static size_t mapped_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE) + ring_bytes;
}

// The mapping keeps the first event alive without its descriptor, which the program could close.
static int open_ring(uint32_t processor, uint32_t starter_tid)
{
	refused = "perf_event_open is refused";
	int event = open_event(starter_tid, processor, -1);
	if (event < 0) return errno == ENODEV ? 0 : errno; // ENODEV: offline
	struct perf_event_mmap_page *page = mmap(NULL, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	int error = page == MAP_FAILED ? errno : 0;
	refused = "the kernel has no memory for context switches";
	if (error == 0) {
		rings[processor] = (struct ring){.page = page, .data = (unsigned char *)page + page->data_offset};
		cover_others(processor, event, starter_tid);
	}
	close(event);
	return error;
}

static void count_thread(uint32_t tid, void *count)
{
	(void)tid;
	*(uint32_t *)count += 1;
}

// The events of threads that run already need open descriptors, many of them: in a table of descriptors that is this
// thread's own, the program neither sees nor closes them, and its limit is not touched. The new table takes nothing
// over, so it keeps none of the program's files open.
static bool take_own_descriptors(uint32_t processors)
{
	uint32_t threads = 0;
	bool is_counted = qs_tasks_visit(count_thread, &threads);
	if (!is_counted || threads <= 2) return false; // the starter and this one: none are needed
	// A thread with an event on some processors only would seem to vanish on the others: all or none.
	struct rlimit files;
	uint64_t wanted = SPARE_DESCRIPTORS + (uint64_t)threads * processors;
	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur < wanted) return false;
	if (syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) != 0) return false; // Linux before 5.9
	// What libc writes to standard error must not go into a file of the trace.
	for (int file = 0; file < 3; file++) {
		if (open("/dev/null", O_RDWR | O_CLOEXEC) != file) return false;
	}
	return true;
}

static int open_rings(uint32_t starter_tid)
{
	int error = 0;
	for (uint32_t processor = 0; processor < ring_count && error == 0; processor++) {
		error = open_ring(processor, starter_tid);
	}
	if (error != 0) qs_switch_rings_close();
	return error;
}

int qs_switch_rings_open(uint32_t starter_tid)
{
	long processors = sysconf(_SC_NPROCESSORS_CONF);
	if (processors < 1) processors = 1;
	uint32_t count = processors < QS_MAX_PROCESSORS ? (uint32_t)processors : QS_MAX_PROCESSORS;
	uint32_t bytes = QS_LARGEST_RING;
	while (bytes > QS_SMALLEST_RING && (uint64_t)bytes * count > QS_ALL_RINGS) bytes /= 2;
	covering.has_own_descriptors = take_own_descriptors(count);
	int error = ENOMEM;
	// EPERM and ENOMEM also mean more locked memory than a user may have: perf_event_mlock_kb, and what other
	// recordings use of it.
	for (; bytes >= QS_SMALLEST_RING && (error == EPERM || error == ENOMEM); bytes /= 2) {
		ring_count = count;
		ring_bytes = bytes;
		error = open_rings(starter_tid);
	}
	return error;
}

void qs_switch_rings_close(void)
{
	for (uint32_t processor = 0; processor < ring_count; processor++) {
		if (rings[processor].page != NULL) munmap(rings[processor].page, mapped_bytes());
	}
	qs_switch_rings_forget();
}

void qs_switch_rings_forget(void)
{
	memset(rings, 0, ring_count * sizeof rings[0]);
	ring_count = 0;
}

const char *qs_switch_rings_refused(void)
{
	return refused;
}

uint32_t qs_switch_rings_count(void)
{
	return ring_count;
}

uint32_t qs_switch_rings_bytes(void)
{
	return ring_bytes;
}

uint32_t qs_switch_rings_uncovered(void)
{
	return covering.missed;
}

uint32_t qs_switch_ring_fill(uint32_t processor)
{
	struct ring *ring = &rings[processor];
	if (ring->page == NULL) return 0;
	// Pairs with the kernel's write barrier before it moves the head: the records up to it are whole.
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	return (uint32_t)(ring->head - ring->tail);
}

// Copies bytes that may go over the ring's end.
static void copy_out(const struct ring *ring, uint64_t position, void *out, size_t bytes)
{
	size_t offset = position & (ring_bytes - 1);
	size_t first = bytes < ring_bytes - offset ? bytes : ring_bytes - offset;
	memcpy(out, ring->data + offset, first);
	memcpy((unsigned char *)out + first, ring->data, bytes - first);
}

static void read_record(
	const struct ring *ring, const struct perf_event_header *header, struct qs_switch_record *record)
{
	record->kind = QS_SWITCH_OTHER;
	record->lost = 0;
	if (header->size < sizeof *header + sizeof(struct sample_id)) return;
	struct sample_id sample;
	copy_out(ring, ring->tail + header->size - sizeof sample, &sample, sizeof sample);
	record->pid = sample.pid;
	record->tid = sample.tid;
	record->time_ns = (int64_t)sample.time;
	if (header->type == PERF_RECORD_LOST) {
		uint64_t id_and_count[2];
		copy_out(ring, ring->tail + sizeof *header, id_and_count, sizeof id_and_count);
		record->kind = QS_SWITCH_LOST;
		record->lost = id_and_count[1];
	} else if (header->type == PERF_RECORD_SWITCH) {
		if ((header->misc & PERF_RECORD_MISC_SWITCH_OUT) == 0) {
			record->kind = QS_SWITCH_IN;
		} else {
			bool preempted = (header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
			record->kind = preempted ? QS_SWITCH_PREEMPTED : QS_SWITCH_BLOCKED;
		}
	}
}

bool qs_switch_ring_next(uint32_t processor, struct qs_switch_record *record)
{
	struct ring *ring = &rings[processor];
	if (ring->page == NULL || ring->tail >= ring->head) return false;
	struct perf_event_header header;
	copy_out(ring, ring->tail, &header, sizeof header);
	if (header.size < sizeof header || header.size > ring->head - ring->tail) {
		ring->tail = ring->head; // the program wrote into it
		return false;
	}
	read_record(ring, &header, record);
	ring->tail += header.size;
	return true;
}

void qs_switch_ring_release(uint32_t processor)
{
	struct ring *ring = &rings[processor];
	// Pairs with the kernel's reading of the tail before it writes: everything up to it was copied out.
	if (ring->page != NULL) __atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}
