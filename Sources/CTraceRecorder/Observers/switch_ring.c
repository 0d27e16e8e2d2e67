#define _GNU_SOURCE
#include "switch_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The kernel appends this to every record for the sample type below. It is short, because it is written within every
// context switch. It has no thread id, because each ring has one thread.
struct sample_id {
	uint64_t time;
	uint32_t processor;
	uint32_t reserved;
};

static const char *refused = "";

static int open_event(uint32_t tid)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	return (int)syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

int qs_switch_ring_open(struct qs_switch_ring *ring, uint32_t tid, uint32_t bytes)
{
	refused = "perf_event_open is refused";
	int event = open_event(tid);
	if (event < 0) return errno;
	// EPERM and ENOMEM: the user's limit of locked memory (perf_event_mlock_kb, RLIMIT_MEMLOCK) is exhausted, possibly
	// by other recordings.
	refused = "the kernel has no memory for context switches";
	if (bytes < page_size()) bytes = (uint32_t)page_size();
	void *page = MAP_FAILED;
	int error = ENOMEM;
	for (; page == MAP_FAILED && bytes >= page_size() && (error == EPERM || error == ENOMEM); bytes /= 2) {
		page = mmap(NULL, page_size() + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
		error = page == MAP_FAILED ? errno : 0;
		ring->bytes = bytes;
	}
	close(event); // the mapping keeps the event alive
	if (error != 0) return error;
	ring->page = page;
	ring->data = (unsigned char *)page + ring->page->data_offset;
	ring->head = 0;
	ring->tail = 0;
	return 0;
}

const char *qs_switch_ring_refused(void)
{
	return refused;
}

void qs_switch_ring_close(struct qs_switch_ring *ring)
{
	if (ring->page != NULL) munmap(ring->page, page_size() + ring->bytes);
	ring->page = NULL;
}

uint32_t qs_switch_ring_fill(struct qs_switch_ring *ring)
{
	if (ring->page == NULL) return 0;
	// Pairs with the kernel's write barrier before it moves the head: the records up to the head are complete.
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	return (uint32_t)(ring->head - ring->tail);
}

// Copies bytes that may wrap around the ring's end.
static void copy_out(const struct qs_switch_ring *ring, uint64_t position, void *out, size_t bytes)
{
	size_t offset = position & (ring->bytes - 1);
	size_t first = bytes < ring->bytes - offset ? bytes : ring->bytes - offset;
	memcpy(out, ring->data + offset, first);
	memcpy((unsigned char *)out + first, ring->data, bytes - first);
}

static void decode(
	const struct qs_switch_ring *ring, const struct perf_event_header *header, struct qs_switch_record *record)
{
	*record = (struct qs_switch_record){.kind = QS_SWITCH_OTHER, .bytes = header->size};
	if (header->size < sizeof *header + sizeof(struct sample_id)) return;
	struct sample_id sample;
	copy_out(ring, ring->tail + header->size - sizeof sample, &sample, sizeof sample);
	record->time_ns = (int64_t)sample.time;
	record->processor = sample.processor;
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

bool qs_switch_ring_peek(struct qs_switch_ring *ring, struct qs_switch_record *record)
{
	if (ring->page == NULL || ring->tail >= ring->head) return false;
	struct perf_event_header header;
	copy_out(ring, ring->tail, &header, sizeof header);
	if (header.size < sizeof header || header.size > ring->head - ring->tail) {
		ring->tail = ring->head; // the program overwrote the ring
		return false;
	}
	decode(ring, &header, record);
	return true;
}

void qs_switch_ring_take(struct qs_switch_ring *ring, const struct qs_switch_record *record)
{
	ring->tail += record->bytes;
}

void qs_switch_ring_release(struct qs_switch_ring *ring)
{
	// Pairs with the kernel's read of the tail before it writes: everything up to the tail has been copied.
	if (ring->page != NULL) __atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}
