// Many concurrent producers and a limit that forces the drop path. Prints the numbers of attempted and discarded
// events.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "../../../Sources/CTraceRecorder/Events/arena.h"
#include "../../../Sources/CTraceRecorder/Events/recorder.h"
#include "../../../Sources/CTraceRecorder/Events/stream.h"
#include "CTraceRecorder.h"
#include "probe.h"

static long events_per_thread;

static void *produce(void *argument)
{
	uint64_t thread = (uint64_t)(uintptr_t)argument;
	for (long index = 0; index < events_per_thread; index++) qs_record_item_begin(thread << 32 | (uint64_t)index, 17);
	return NULL;
}

int probe_producers(int argc, char **argv)
{
	if (argc < 4) return 64;
	int count = atoi(argv[1]);
	events_per_thread = atol(argv[2]);
	probe_start(argv[0], strtoull(argv[3], NULL, 10));
	pthread_t threads[256];
	if (count > 256) return 64;
	for (int index = 0; index < count; index++) {
		pthread_create(&threads[index], NULL, produce, (void *)(uintptr_t)(index + 1));
	}
	for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
	uint64_t discarded = qs_session_stop();
	printf("attempted %ld discarded %lu\n", (long)count * events_per_thread, (unsigned long)discarded);
	return 0;
}

static void pause_for(long milliseconds)
{
	nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

// A flight recorder in memory, which is filled several times. `starved`: the recorder thread gets no processor while
// another thread is ready. The last events are recorded when it has freed memory.
int probe_ring(int argc, char **argv)
{
	enum { LAST_EVENTS = 100 };
	if (argc < 4) return 64;
	uintptr_t count = (uintptr_t)atoi(argv[1]);
	events_per_thread = atol(argv[2]);
	bool is_starved = argc > 4;
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (is_starved) sched_setaffinity(0, sizeof one, &one); // the threads inherit it
	struct qs_session_options options = {.is_flight = true, .memory = strtoull(argv[3], NULL, 10)};
	if (qs_session_start(argv[0], &options, NULL) != QS_SESSION_OK) return 3;
	struct sched_param none = {0};
	if (is_starved) sched_setscheduler(probe_recorder_tid(), SCHED_IDLE, &none);
	pthread_t *threads = calloc(count, sizeof *threads);
	for (uintptr_t index = 0; index < count; index++) {
		if (pthread_create(&threads[index], NULL, produce, (void *)(index + 1)) != 0) return 1;
	}
	for (uintptr_t index = 0; index < count; index++) pthread_join(threads[index], NULL);
	sched_setscheduler(probe_recorder_tid(), SCHED_OTHER, &none);
	uint64_t free_bytes = 0;
	for (int look = 0; look < 1000 && free_bytes < QS_LARGE_CHUNK; look++) {
		pause_for(10);
		free_bytes = qs_arena_free_bytes();
	}
	for (uint64_t index = 0; index < LAST_EVENTS; index++) qs_record_item_begin((count + 1) << 32 | index, 17);
	uint64_t discarded = qs_session_stop();
	printf("attempted %ld discarded %lu\n", (long)count * events_per_thread + LAST_EVENTS, (unsigned long)discarded);
	return 0;
}

// Idle threads: each records enough for a large chunk, waits, and records one more event at the end.
enum { IDLE_EVENTS = 600, ENOUGH_CHUNKS = 4 };

static pthread_barrier_t barrier;

static void *record_and_wait(void *argument)
{
	uint64_t thread = (uint64_t)(uintptr_t)argument;
	for (uint64_t index = 0; index < IDLE_EVENTS; index++) qs_record_item_begin(thread << 32 | index, 17);
	pthread_barrier_wait(&barrier); // all have recorded
	pthread_barrier_wait(&barrier); // the main thread has recorded
	qs_record_item_begin(thread << 32 | IDLE_EVENTS, 17);
	return NULL;
}

int probe_idle_threads(int argc, char **argv)
{
	if (argc < 3) return 64;
	uintptr_t count = (uintptr_t)atoi(argv[1]);
	struct qs_session_options options = {.memory = strtoull(argv[2], NULL, 10)};
	if (qs_session_start(argv[0], &options, NULL) != QS_SESSION_OK) return 3;
	pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
	pthread_t *threads = calloc(count, sizeof *threads);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	for (uintptr_t index = 0; index < count; index++) {
		if (pthread_create(&threads[index], &attributes, record_and_wait, (void *)(index + 1)) != 0) return 1;
		// Slowly, so that the recorder thread can copy the chunks.
		if (index % 16 == 15) pause_for(5);
	}
	pthread_barrier_wait(&barrier);
	// As before a long sleep of the recorder thread.
	if (argc > 3) qs_streams_watch();
	// The recorder thread frees the chunks of the threads, which are quiet now.
	uint32_t free_chunks = 0;
	for (int look = 0; look < 500 && free_chunks < ENOUGH_CHUNKS; look++) {
		pause_for(10);
		free_chunks = __atomic_load_n(&qs_arena.free_large, __ATOMIC_RELAXED);
	}
	enum { ROUNDS = 200, ROUND_EVENTS = 1000 };
	for (uint64_t round = 0; round < ROUNDS; round++) {
		for (uint64_t index = 0; index < ROUND_EVENTS; index++) qs_record_item_begin(round * ROUND_EVENTS + index, 17);
		pause_for(5);
	}
	pthread_barrier_wait(&barrier);
	for (uintptr_t index = 0; index < count; index++) pthread_join(threads[index], NULL);
	uint64_t discarded = qs_session_stop();
	long attempted = (long)(count * (IDLE_EVENTS + 1)) + ROUNDS * ROUND_EVENTS;
	printf("attempted %ld discarded %lu free %u\n", attempted, (unsigned long)discarded, free_chunks);
	return 0;
}

// Threads that have ended, with partly filled chunks, while memory is scarce.
enum { ENDED_THREADS = 12, MOST_ROUNDS = 50 };

static bool is_counting; // atomic
static bool is_partly;   // atomic: during a write, some streams of ended threads were free, and some were not

// Number of free streams. No other thread takes one.
static int count_free_streams(void)
{
	enum { MOST_STREAMS = 4 * ENDED_THREADS };
	struct qs_stream *streams[MOST_STREAMS];
	int count = 0;
	while (count < MOST_STREAMS && (streams[count] = qs_stream_take_free()) != NULL) count++;
	for (int index = count; index-- > 0;) qs_stream_give_back(streams[index]);
	return count;
}

// Replaces the C library's function, with which the recorder thread writes packets.
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset)
{
	if (__atomic_load_n(&is_counting, __ATOMIC_ACQUIRE)) {
		int streams = count_free_streams();
		if (streams > 0 && streams < ENDED_THREADS) __atomic_store_n(&is_partly, true, __ATOMIC_RELAXED);
	}
	return syscall(SYS_pwritev, file, parts, count, offset, 0L);
}

static void *record_and_end(void *argument)
{
	uint64_t thread = (uint64_t)(uintptr_t)argument;
	for (uint64_t index = 0; index < IDLE_EVENTS; index++) qs_record_item_begin(thread << 32 | index, 17);
	// All threads have a stream of their own.
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[ENDED_THREADS];
	pthread_barrier_init(&barrier, NULL, ENDED_THREADS);
	for (uintptr_t index = 0; index < ENDED_THREADS; index++) {
		if (pthread_create(&threads[index], NULL, record_and_end, (void *)(index + 1)) != 0) abort();
	}
	for (int index = 0; index < ENDED_THREADS; index++) pthread_join(threads[index], NULL);
	pthread_barrier_destroy(&barrier);
}

int probe_reclaim(int argc, char **argv)
{
	if (argc < 1) return 64;
	// 1 MiB are 15 large chunks, and each thread ends with one.
	struct qs_session_options options = {.memory = 1 << 20, .without_processors = true};
	if (qs_session_start(argv[0], &options, NULL) != QS_SESSION_OK) return 3;
	for (int round = 0; round < MOST_ROUNDS && !__atomic_load_n(&is_partly, __ATOMIC_RELAXED); round++) {
		run_threads();
		__atomic_store_n(&is_counting, true, __ATOMIC_RELEASE);
		// Except once a second, the recorder thread copies only the partly filled chunks that it frees.
		qs_recorder_wake();
		pause_for(20);
		__atomic_store_n(&is_counting, false, __ATOMIC_RELEASE);
		pause_for(5);
	}
	printf("partly %d streams %u\n", is_partly, qs_streams_count());
	qs_session_stop();
	return 0;
}
