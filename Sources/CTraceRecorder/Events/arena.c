#define _GNU_SOURCE
#include "arena.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "../Gate/thread_guard.h"
#include "../System/memory_limit.h"
#include "../System/system_calls.h"
#include "../System/tagged_list.h"
#include "arena_name.h"
#include "oldest_chunks.h"
#include "recorder.h"

enum {
	// Populated at the program's start: 45 µs each.
	FIRST_BLOCKS = 4,
	// Oldest chunks that are taken for a large one. Small ones become free.
	MOST_TAKEN = 4,
	SMALLEST_ARENA = QS_SEGMENT,
};

struct qs_arena qs_arena = {.memory_id = -1};

// MARK: Lists of free chunks

static uint32_t *next_of(uint32_t chunk)
{
	return &qs_chunk_entry(chunk)->next;
}

static void push(uint64_t *list, uint32_t chunk)
{
	qs_tagged_list_push(list, chunk, next_of(chunk));
}

static uint32_t pop(uint64_t *list)
{
	return qs_tagged_list_pop(list, next_of);
}

static void put(uint32_t unit, uint32_t bytes)
{
	uint32_t chunk = unit + 1;
	struct qs_chunk *entry = qs_chunk_entry(chunk);
	entry->stream = 0;
	entry->bytes = bytes;
	if (bytes == QS_LARGE_CHUNK) {
		push(&qs_arena.large, chunk);
		__atomic_fetch_add(&qs_arena.free_large, 1, __ATOMIC_RELAXED);
	} else {
		push(&qs_arena.small, chunk);
		__atomic_fetch_add(&qs_arena.free_small, 1, __ATOMIC_RELAXED);
	}
}

static uint32_t pop_large(void)
{
	uint32_t chunk = pop(&qs_arena.large);
	if (chunk != 0) __atomic_fetch_sub(&qs_arena.free_large, 1, __ATOMIC_RELAXED);
	return chunk;
}

static uint32_t pop_small(void)
{
	uint32_t chunk = pop(&qs_arena.small);
	if (chunk != 0) __atomic_fetch_sub(&qs_arena.free_small, 1, __ATOMIC_RELAXED);
	return chunk;
}

void qs_arena_note_overwritten(uint64_t time)
{
	uint64_t *newest = &qs_arena_head()->overwritten;
	uint64_t known = __atomic_load_n(newest, __ATOMIC_RELAXED);
	while (known < time
		&& !__atomic_compare_exchange_n(newest, &known, time, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
}

// Takes a chunk of at least this size from a flight recorder's oldest ones.
static uint32_t take_oldest(uint32_t bytes)
{
	for (int taken = 0; taken < MOST_TAKEN; taken++) {
		uint64_t time;
		uint32_t chunk = qs_oldest_chunks_take(&time);
		if (chunk == 0) return 0;
		struct qs_chunk *entry = qs_chunk_entry(chunk);
		qs_arena_note_overwritten(time);
		// After the time is noted: a reader that does not find the chunk any more finds the time.
		__atomic_store_n(&entry->stream, 0, __ATOMIC_RELEASE);
		// Before the first store into the chunk: a live reader finds a changed entry after it has read a changed chunk.
		__atomic_thread_fence(__ATOMIC_RELEASE);
		if (entry->bytes >= bytes) return chunk;
		qs_chunk_give(chunk);
	}
	return 0;
}

uint32_t qs_chunk_take(uint32_t bytes)
{
	uint32_t chunk = bytes == QS_SMALL_CHUNK ? pop_small() : 0;
	if (chunk == 0) chunk = pop_large();
	if (chunk == 0 && qs_arena_grow()) chunk = pop_large();
	if (chunk == 0) chunk = take_oldest(bytes);
	if (chunk == 0) return 0;
	struct qs_chunk *entry = qs_chunk_entry(chunk);
	if (bytes == QS_SMALL_CHUNK && entry->bytes == QS_LARGE_CHUNK) {
		entry->bytes = QS_SMALL_CHUNK;
		for (uint32_t unit = 1; unit < QS_BLOCK_UNITS; unit++) put(chunk - 1 + unit, QS_SMALL_CHUNK);
	}
	__atomic_store_n(&entry->next, 0, __ATOMIC_RELAXED);
	return chunk;
}

void qs_chunk_give(uint32_t chunk)
{
	struct qs_chunk *entry = qs_chunk_entry(chunk);
	__atomic_store_n(&entry->stream, 0, __ATOMIC_RELEASE);
	put(chunk - 1, entry->bytes);
}

void qs_chunk_note_taken(void)
{
	uint32_t low = __atomic_load_n(&qs_arena.low, __ATOMIC_RELAXED);
	if (__atomic_load_n(&qs_arena.free_large, __ATOMIC_RELAXED) >= low) return;
	// Load first: all threads share this line, so an unconditional exchange would be expensive.
	if (__atomic_load_n(&qs_arena.is_short, __ATOMIC_RELAXED)) return;
	if (!__atomic_exchange_n(&qs_arena.is_short, true, __ATOMIC_RELAXED)) qs_recorder_wake();
}

uint64_t qs_arena_free_bytes(void)
{
	// Negative for a moment when a thread takes a chunk that another thread has not counted yet.
	int64_t large = (int32_t)__atomic_load_n(&qs_arena.free_large, __ATOMIC_RELAXED);
	int64_t small = (int32_t)__atomic_load_n(&qs_arena.free_small, __ATOMIC_RELAXED);
	int64_t bytes = large * QS_LARGE_CHUNK + small * QS_SMALL_CHUNK;
	return bytes > 0 ? (uint64_t)bytes : 0;
}

void qs_arena_set_low(uint32_t chunks)
{
	__atomic_store_n(&qs_arena.low, chunks, __ATOMIC_RELAXED);
}

bool qs_arena_take_shortage(void)
{
	return __atomic_exchange_n(&qs_arena.is_short, false, __ATOMIC_RELAXED);
}

// MARK: Memory

// Gives each page memory by a system call that writes the page's own content. Where the kernel has no memory the call
// fails; a store by the program would raise SIGBUS.
static bool touch(unsigned char *from, uint64_t bytes)
{
	const uint32_t keep = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0);
	for (unsigned char *page = from; page < from + bytes; page += QS_UNIT) {
		if (syscall(SYS_futex, page, FUTEX_WAKE_OP_PRIVATE, 0, 0, page, keep) < 0) return false;
	}
	return true;
}

// Populates this part of the mapping now, so that no later store allocates a page.
static bool populate(uint64_t offset, uint64_t bytes)
{
	if (madvise(qs_arena.memory + offset, bytes, MADV_POPULATE_WRITE) == 0) return true;
	return errno == EINVAL && touch(qs_arena.memory + offset, bytes); // Linux before 5.14
}

static bool populate_tables(uint32_t segment)
{
	if (!populate((uint64_t)segment * QS_SEGMENT, QS_FIRST_SMALL_CHUNK * QS_UNIT)) return false;
	uint32_t *segments = &qs_arena_head()->segments;
	uint32_t known = __atomic_load_n(segments, __ATOMIC_RELAXED);
	while (known <= segment
		&& !__atomic_compare_exchange_n(segments, &known, segment + 1, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
	return true;
}

static bool populate_block(uint32_t block)
{
	// Also populates the tables of the segment: another thread that populates them may not have finished.
	return populate_tables(block / QS_SEGMENT_BLOCKS) && populate(block * (uint64_t)QS_LARGE_CHUNK, QS_LARGE_CHUNK);
}

bool qs_arena_has_record(uint32_t index)
{
	uint32_t records = __atomic_load_n(&qs_arena.records, __ATOMIC_ACQUIRE);
	if (index < records) return true;
	if (qs_thread_is_sandboxed) return false;
	uint32_t segment = index / QS_SEGMENT_STREAMS;
	if (segment >= qs_arena.bytes / QS_SEGMENT) return false;
	int saved_errno = errno;
	uint32_t first = records / QS_SEGMENT_STREAMS;
	bool has_memory = true;
	for (; first <= segment && has_memory; first++) has_memory = populate_tables(first);
	errno = saved_errno;
	if (!has_memory) return false;
	uint32_t wanted = (segment + 1) * QS_SEGMENT_STREAMS;
	while (records < wanted
		&& !__atomic_compare_exchange_n(
			&qs_arena.records, &records, wanted, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
	return true;
}

bool qs_arena_grow(void)
{
	if (qs_thread_is_sandboxed) return false;
	uint32_t most = (uint32_t)(qs_arena.bytes / QS_LARGE_CHUNK);
	uint32_t block = __atomic_load_n(&qs_arena.blocks, __ATOMIC_RELAXED);
	do {
		if (block >= most || __atomic_load_n(&qs_arena.is_exhausted, __ATOMIC_RELAXED)) return false;
	} while (!__atomic_compare_exchange_n(
		&qs_arena.blocks, &block, block + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	int saved_errno = errno;
	bool has_memory = populate_block(block);
	errno = saved_errno;
	if (!has_memory) {
		__atomic_store_n(&qs_arena.is_exhausted, true, __ATOMIC_RELAXED);
		// Retry this block later, unless another thread has claimed the next one.
		uint32_t after = block + 1;
		__atomic_compare_exchange_n(&qs_arena.blocks, &after, block, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		return false;
	}
	uint32_t first = block * QS_BLOCK_UNITS;
	if (block % QS_SEGMENT_BLOCKS != 0) {
		put(first, QS_LARGE_CHUNK);
		return true;
	}
	for (uint32_t unit = QS_FIRST_SMALL_CHUNK; unit < QS_BLOCK_UNITS; unit++) put(first + unit, QS_SMALL_CHUNK);
	return qs_arena_grow();
}

// MARK: The mapping

// Notes a mapping that either covers the reserved addresses, or replaces them by its own.
static void note_mapping(void *memory, uint64_t bytes)
{
	if (memory != qs_arena.memory) {
		if (qs_arena.memory != NULL) munmap(qs_arena.memory, qs_arena.reserved);
		qs_arena.memory = memory;
		qs_arena.reserved = bytes;
	}
	qs_arena.bytes = bytes;
	// Core files of the program stay small. The events are read from the memory itself.
	madvise(memory, bytes, MADV_DONTDUMP);
}

// The reserved addresses if they are enough for this size, otherwise NULL.
static void *place_for(uint64_t bytes)
{
	return bytes <= qs_arena.reserved ? qs_arena.memory : NULL;
}

static bool attach_segment(uint64_t bytes)
{
	// Without SHM_NORESERVE the whole size would count as used where the system does not overcommit memory.
	int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | SHM_NORESERVE | 0600);
	if (id < 0) return false;
	void *place = place_for(bytes);
	void *memory = shmat(id, place, place != NULL ? SHM_REMAP : 0);
	if (memory == (void *)-1) {
		shmctl(id, IPC_RMID, NULL);
		return false;
	}
	note_mapping(memory, bytes);
	qs_arena.memory_id = id;
	return true;
}

static bool map_anonymous(uint64_t bytes)
{
	void *place = place_for(bytes);
	int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | (place != NULL ? MAP_FIXED : 0);
	void *memory = mmap(place, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (memory == MAP_FAILED) return false;
	note_mapping(memory, bytes);
	return true;
}

// Maps `bytes`, or less where the size of segments or the address space is limited.
static bool map(uint64_t bytes)
{
	for (uint64_t size = bytes; size >= SMALLEST_ARENA; size = size / 2 / QS_SEGMENT * QS_SEGMENT) {
		if (attach_segment(size)) return true;
	}
	for (uint64_t size = bytes; size >= SMALLEST_ARENA; size = size / 2 / QS_SEGMENT * QS_SEGMENT) {
		if (map_anonymous(size)) return true;
	}
	return false;
}

static void write_head(const uint8_t *uuid, const char *directory, uint32_t first_stream)
{
	struct qs_arena_head *head = qs_arena_head();
	head->version = QS_ARENA_VERSION;
	head->pid = (uint32_t)getpid();
	memcpy(head->uuid, uuid, sizeof head->uuid);
	head->first_stream = first_stream;
	size_t length = strlen(directory);
	if (length >= sizeof head->directory) length = 0;
	head->directory_length = length;
	memcpy(head->directory, directory, length);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memcpy(head->magic, "QSARENA", sizeof head->magic);
}

bool qs_arena_open(uint64_t limit, const uint8_t *uuid, const char *directory, uint32_t first_stream)
{
	uint64_t bytes = qs_memory_limit(limit) / QS_SEGMENT * QS_SEGMENT;
	if (bytes < SMALLEST_ARENA) bytes = SMALLEST_ARENA;
	qs_oldest_chunks_close();
	qs_arena.keeps_newest = false;
	qs_arena.memory_id = -1;
	qs_arena.blocks = 0;
	qs_arena.free_large = 0;
	qs_arena.free_small = 0;
	qs_arena.records = 0;
	qs_arena.is_exhausted = false;
	qs_arena.large = 0;
	qs_arena.small = 0;
	if (!map(bytes)) return false;
	bool is_ready = qs_arena_grow() && qs_arena_has_record(0);
	while (is_ready && qs_arena.blocks < FIRST_BLOCKS && qs_arena_grow()) {}
	if (is_ready) write_head(uuid, directory, first_stream);
	int error = errno;
	bool is_joined = first_stream != 0;
	// Without a name no later reader finds the memory.
	if (!is_ready || !qs_arena_name_write(directory, qs_arena.memory_id, is_joined)) {
		qs_arena_remove();
		qs_arena_name_write(directory, -1, is_joined);
	}
	errno = error;
	return is_ready;
}

void qs_arena_remove(void)
{
	if (qs_arena.memory_id < 0) return;
	if (shmctl(qs_arena.memory_id, IPC_RMID, NULL) != 0 && qs_arena.bytes > QS_SEGMENT) {
		madvise(qs_arena.memory + QS_SEGMENT, qs_arena.bytes - QS_SEGMENT, MADV_REMOVE);
	}
	qs_arena.memory_id = -1;
}

void qs_arena_close(bool is_abandoned)
{
	qs_arena.memory_id = -1;
	if (qs_arena.memory == NULL) return;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
	mmap(qs_arena.memory, qs_arena.reserved, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (is_abandoned) {
		qs_arena.memory = NULL;
		qs_arena.reserved = 0;
	}
}

void qs_arena_forget(bool is_in_use)
{
	if (qs_arena.memory != NULL && !is_in_use) munmap(qs_arena.memory, qs_arena.reserved);
	qs_arena.memory = NULL;
	qs_arena.reserved = 0;
	qs_arena.memory_id = -1;
}
