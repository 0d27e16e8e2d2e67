// Measures the time of one event, while another process continuously dirties and syncs the disk of the trace. In the
// same run it measures stores of the same number of bytes to a memfd and to a file on that disk. One memfd gets its
// memory during the writes; another one is populated, and is overwritten repeatedly.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Events/clock.h"
#include "CTraceRecorder.h"
#include "probe.h"

enum {
	BURST = 1000,
	PAUSE_US = 1000,
	EVENT_BYTES = 5 + 6 + 4, // size of item_begin with its header
	REUSED_BYTES = 64 * 1024 * 1024, // the size of the arena
	DIRTY_BYTES = 256 * 1024 * 1024,
	DIRTY_CHUNK = 1024 * 1024,
	SYNC_EVERY = 8, // number of chunks
};

// Histogram of ticks with 64 buckets per power of two.
enum { STEP_BITS = 6, STEPS = 1 << STEP_BITS, BUCKETS = 64 * STEPS };

struct histogram {
	uint64_t counts[BUCKETS];
	uint64_t total;
	uint64_t most;
};

static void note(struct histogram *histogram, uint64_t ticks)
{
	int exponent = ticks < STEPS ? 0 : 63 - __builtin_clzll(ticks) - STEP_BITS;
	histogram->counts[(size_t)exponent * STEPS + (ticks >> exponent)] += 1;
	histogram->total += 1;
	if (ticks > histogram->most) histogram->most = ticks;
}

static uint64_t percentile(const struct histogram *histogram, double share)
{
	uint64_t wanted = (uint64_t)((double)histogram->total * share), seen = 0;
	for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
		seen += histogram->counts[bucket];
		if (seen <= wanted) continue;
		// The bucket's number includes the exponent; the values of all groups except the first two start at STEPS.
		size_t exponent = bucket < 2 * STEPS ? 0 : bucket / STEPS - 1;
		return (bucket - exponent * STEPS) << exponent;
	}
	return histogram->most;
}

static void write_and_sync(const char *path)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char *chunk = malloc(DIRTY_CHUNK);
	if (file < 0 || chunk == NULL) _exit(1);
	for (uint64_t number = 0;; number++) {
		memset(chunk, (int)number, DIRTY_CHUNK);
		off_t place = (off_t)(number * DIRTY_CHUNK % DIRTY_BYTES);
		if (pwrite(file, chunk, DIRTY_CHUNK, place) != DIRTY_CHUNK) _exit(1);
		// Syncs the whole file system: it writes back pages of mapped files too, and the next store into such a page
		// waits.
		if (number % SYNC_EVERY == 0 && syncfs(file) != 0) _exit(1);
	}
}

struct memory {
	unsigned char *bytes;
	size_t size;
	size_t place; // offset of the next store
};

static struct memory map(int file, size_t size, bool is_populated)
{
	if (file < 0 || ftruncate(file, (off_t)size) != 0) abort();
	struct memory memory = {.bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), .size = size};
	if (memory.bytes == MAP_FAILED) abort();
	if (is_populated) memset(memory.bytes, 1, size);
	return memory;
}

static void record_events(struct histogram *histogram)
{
	for (uint64_t index = 0; index < BURST; index++) {
		uint64_t begin = qs_clock_now();
		qs_record_item_begin(index, 17);
		note(histogram, qs_clock_now() - begin);
	}
}

static void store_events(struct histogram *histogram, struct memory *memory)
{
	unsigned char event[EVENT_BYTES] = {1};
	for (uint64_t index = 0; index < BURST; index++) {
		if (memory->place + sizeof event > memory->size) memory->place = 0;
		uint64_t begin = qs_clock_now();
		memcpy(memory->bytes + memory->place, event, sizeof event);
		__asm__ volatile("" : : : "memory");
		note(histogram, qs_clock_now() - begin);
		memory->place += sizeof event;
	}
}

static void print(const char *name, const struct histogram *histogram, double ticks_per_us)
{
	static const double shares[] = {0.5, 0.99, 0.999, 0.9999};
	printf("%-34s", name);
	for (size_t index = 0; index < sizeof shares / sizeof shares[0]; index++) {
		printf(" %9.3f", (double)percentile(histogram, shares[index]) / ticks_per_us);
	}
	printf(" %10.1f\n", (double)histogram->most / ticks_per_us);
}

int probe_store_latency(int argc, char **argv)
{
	long events = argc < 2 ? 0 : atol(argv[1]);
	if (events < BURST) return 64;
	char path[4096], dirty[4096];
	snprintf(path, sizeof path, "%s/trace", argv[0]);
	snprintf(dirty, sizeof dirty, "%s/dirty", argv[0]);
	pid_t writer = fork();
	if (writer == 0) write_and_sync(dirty);
	probe_start(path, 0);
	qs_record_item_begin(1, 17);
	puts("writable shared mappings of the recorder:");
	probe_print_mappings();
	snprintf(path, sizeof path, "%s/stores", argv[0]);
	enum { NEW, REUSED, ON_DISK, KINDS };
	struct memory memories[KINDS] = {
		[NEW] = map(memfd_create("new", MFD_CLOEXEC), (size_t)events * EVENT_BYTES, false),
		[REUSED] = map(memfd_create("reused", MFD_CLOEXEC), REUSED_BYTES, true),
		[ON_DISK] = map(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), REUSED_BYTES, true),
	};
	static struct histogram of_events, of_stores[KINDS];
	struct qs_clock_sample first = qs_clock_sample();
	for (long round = 0; round < events / BURST; round++) {
		// The order rotates, because the first measurement after a pause has cold caches.
		for (long turn = round; turn <= round + KINDS; turn++) {
			long kind = turn % (KINDS + 1);
			if (kind == KINDS) record_events(&of_events);
			else store_events(&of_stores[kind], &memories[kind]);
		}
		usleep(PAUSE_US);
	}
	struct qs_clock_sample last = qs_clock_sample();
	uint64_t discarded = qs_session_stop();
	int status = 0;
	bool has_written = waitpid(writer, &status, WNOHANG) == 0;
	kill(writer, SIGKILL);
	if (has_written) waitpid(writer, &status, 0);
	unlink(dirty);
	unlink(path);
	double ticks_per_us = (double)(last.ticks - first.ticks) * 1000 / (double)(last.monotonic_ns - first.monotonic_ns);
	printf("\n%-34s %9s %9s %9s %9s %10s\n", "in µs", "p50", "p99", "p99.9", "p99.99", "worst");
	print("an event", &of_events, ticks_per_us);
	print("a store into a new memfd", &of_stores[NEW], ticks_per_us);
	print("a store into a memfd used again", &of_stores[REUSED], ticks_per_us);
	print("a store into a file of that disk", &of_stores[ON_DISK], ticks_per_us);
	double event = (double)percentile(&of_events, 0.9999);
	double ratio = event / (double)percentile(&of_stores[NEW], 0.9999);
	printf("\n%ld of each; p99.99 of an event: %.2f × a store into a new memfd, %.2f × one used again; "
		"discarded: %llu\n",
		events, ratio, event / (double)percentile(&of_stores[REUSED], 0.9999), (unsigned long long)discarded);
	if (!has_written) fputs("the process that writes to the disk could not\n", stderr);
	return has_written && discarded == 0 && ratio <= 1.1 ? 0 : 1;
}
