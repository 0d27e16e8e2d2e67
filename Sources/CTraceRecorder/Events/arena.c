#define _GNU_SOURCE
#include "arena.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../Gate/thread_guard.h"
#include "../System/memory_limit.h"
#include "../System/system_calls.h"
#include "../System/tagged_list.h"
#include "arena_name.h"
#include "recorder.h"

enum {
	// Populated at the program's start: 45 µs each.
	FIRST_BLOCKS = 4,
	SMALLEST_ARENA = QS_SEGMENT,
};

struct qs_arena qs_arena;

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
	}
}

static uint32_t pop_large(void)
{
	uint32_t chunk = pop(&qs_arena.large);
	if (chunk != 0) __atomic_fetch_sub(&qs_arena.free_large, 1, __ATOMIC_RELAXED);
	return chunk;
}

uint32_t qs_chunk_take(uint32_t bytes)
{
	uint32_t chunk = bytes == QS_SMALL_CHUNK ? pop(&qs_arena.small) : 0;
	if (chunk == 0) chunk = pop_large();
	if (chunk == 0 && qs_arena_grow(-1)) chunk = pop_large();
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

void qs_arena_set_low(uint32_t chunks)
{
	__atomic_store_n(&qs_arena.low, chunks, __ATOMIC_RELAXED);
}

bool qs_arena_take_shortage(void)
{
	return __atomic_exchange_n(&qs_arena.is_short, false, __ATOMIC_RELAXED);
}

// MARK: Memory

// Populates this part of the mapping now, so that no later store allocates a page: a store into a full tmpfs raises
// SIGBUS.
static bool populate(uint64_t offset, uint64_t bytes, int file)
{
	if (qs_arena.grows_anywhere) {
		if (madvise(qs_arena.memory + offset, bytes, MADV_POPULATE_WRITE) == 0) return true;
		return qs_arena.path[0] == 0 && errno == EINVAL; // anonymous memory is populated by the first store
	}
	int result;
	do {
		result = fallocate(file, 0, (off_t)offset, (off_t)bytes);
	} while (result != 0 && errno == EINTR);
	return result == 0;
}

static bool populate_tables(uint32_t segment, int file)
{
	return populate((uint64_t)segment * QS_SEGMENT, QS_FIRST_SMALL_CHUNK * QS_UNIT, file);
}

static bool populate_block(uint32_t block, int file)
{
	// Also populates the tables of the segment: another thread that populates them may not have finished.
	return populate_tables(block / QS_SEGMENT_BLOCKS, file)
		&& populate(block * (uint64_t)QS_LARGE_CHUNK, QS_LARGE_CHUNK, file);
}

bool qs_arena_has_record(uint32_t index, int file)
{
	uint32_t records = __atomic_load_n(&qs_arena.records, __ATOMIC_ACQUIRE);
	if (index < records) return true;
	uint32_t segment = index / QS_SEGMENT_STREAMS;
	if (segment >= qs_arena.bytes / QS_SEGMENT || (!qs_arena.grows_anywhere && file < 0)) return false;
	int saved_errno = errno;
	uint32_t first = records / QS_SEGMENT_STREAMS;
	bool has_memory = true;
	for (; first <= segment && has_memory; first++) has_memory = populate_tables(first, file);
	errno = saved_errno;
	if (!has_memory) return false;
	uint32_t wanted = (segment + 1) * QS_SEGMENT_STREAMS;
	while (records < wanted
		&& !__atomic_compare_exchange_n(&qs_arena.records, &records, wanted, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
	return true;
}

bool qs_arena_grow(int file)
{
	if (qs_thread_is_sandboxed) return false;
	if (!qs_arena.grows_anywhere && file < 0) return false;
	uint32_t most = (uint32_t)(qs_arena.bytes / QS_LARGE_CHUNK);
	uint32_t block = __atomic_load_n(&qs_arena.blocks, __ATOMIC_RELAXED);
	do {
		if (block >= most || __atomic_load_n(&qs_arena.is_exhausted, __ATOMIC_RELAXED)) return false;
	} while (!__atomic_compare_exchange_n(&qs_arena.blocks, &block, block + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	int saved_errno = errno;
	bool has_memory = populate_block(block, file);
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
	return qs_arena_grow(file);
}

// MARK: The file

// Bytes of this directory that the arena may use: half of its free space. 0 when it is not a tmpfs, or not writable.
static uint64_t room_in(const char *directory)
{
	struct statfs status;
	if (directory == NULL || directory[0] != '/' || statfs(directory, &status) != 0) return 0;
	if (status.f_type != TMPFS_MAGIC || access(directory, W_OK | X_OK) != 0) return 0;
	// A size of 0 means no limit.
	return status.f_blocks == 0 ? UINT64_MAX : (uint64_t)status.f_bavail * (uint64_t)status.f_bsize / 2;
}

static void name_file(const char *directory, const uint8_t *uuid, bool is_second)
{
	int length = snprintf(qs_arena.path, sizeof qs_arena.path, "%s/queuescope-", directory);
	if (length < 0 || length + 33 > (int)sizeof qs_arena.path) {
		qs_arena.path[0] = 0;
		return;
	}
	// Two recorders of one trace have two arenas.
	for (int index = 0; index < 16; index++) {
		snprintf(qs_arena.path + length + 2 * index, 3, "%02x", index == 0 && is_second ? uuid[0] ^ 0xFF : uuid[index]);
	}
}

// Creates a file in a tmpfs, of `*bytes` or less; -1 when there is no suitable directory.
static int make_file(uint64_t *bytes, const uint8_t *uuid, const char *directory, bool is_second)
{
	// A file beyond RLIMIT_FSIZE would raise SIGXFSZ, which ends the program.
	struct rlimit size;
	if (getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY && *bytes > size.rlim_cur) {
		if (size.rlim_cur < SMALLEST_ARENA) return -1;
		*bytes = size.rlim_cur / QS_SEGMENT * QS_SEGMENT;
	}
	const char *const places[] = {"/dev/shm", secure_getenv("XDG_RUNTIME_DIR"), "/run", "/tmp"};
	for (size_t index = 0; index < sizeof places / sizeof places[0]; index++) {
		uint64_t room = room_in(places[index]);
		if (room < SMALLEST_ARENA) continue;
		name_file(places[index], uuid, is_second);
		// The name is written first: a file without a name would stay for good if the process is killed here.
		if (qs_arena.path[0] == 0 || !qs_arena_name_write(directory, qs_arena.path, is_second)) continue;
		int file = open(qs_arena.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (file < 0) continue;
		if (room < *bytes) *bytes = room / QS_SEGMENT * QS_SEGMENT;
		if (ftruncate(file, (off_t)*bytes) == 0) return file;
		unlink(qs_arena.path);
		close(file);
	}
	qs_arena.path[0] = 0;
	qs_arena_name_write(directory, "", is_second);
	return -1;
}

// Maps the file, or anonymous memory, at the address range that is already reserved if that is large enough.
static bool map(uint64_t bytes, int file)
{
	int flags = MAP_SHARED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
	bool fits = qs_arena.memory != NULL && bytes <= qs_arena.reserved;
	if (fits) flags |= MAP_FIXED;
	void *memory = mmap(fits ? qs_arena.memory : NULL, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
	if (memory == MAP_FAILED) return false;
	if (!fits) {
		if (qs_arena.memory != NULL) munmap(qs_arena.memory, qs_arena.reserved);
		qs_arena.reserved = bytes;
	}
	qs_arena.memory = memory;
	return true;
}

static void write_head(const uint8_t *uuid, const char *directory, uint32_t first_stream)
{
	struct qs_arena_head *head = qs_arena_head();
	head->version = QS_ARENA_VERSION;
	head->pid = (uint32_t)getpid();
	memcpy(head->uuid, uuid, sizeof head->uuid);
	head->blocks = (uint32_t)(qs_arena.bytes / QS_LARGE_CHUNK);
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
	qs_arena.path[0] = 0;
	int file = make_file(&bytes, uuid, directory, first_stream != 0);
	// The address space may be limited.
	bool is_mapped = map(bytes, file);
	while (!is_mapped && bytes > SMALLEST_ARENA) is_mapped = map(bytes /= 2, file);
	qs_arena.bytes = bytes;
	qs_arena.blocks = 0;
	qs_arena.free_large = 0;
	qs_arena.records = 0;
	qs_arena.is_exhausted = false;
	qs_arena.large = 0;
	qs_arena.small = 0;
	bool is_ready = false;
	if (is_mapped) {
		qs_arena.grows_anywhere = file < 0 || madvise(qs_arena.memory, QS_UNIT, MADV_POPULATE_WRITE) == 0 || errno != EINVAL;
		is_ready = qs_arena_grow(file) && qs_arena_has_record(0, file);
		while (is_ready && qs_arena.blocks < FIRST_BLOCKS && qs_arena_grow(file)) {}
	}
	if (is_ready) write_head(uuid, directory, first_stream);
	int error = errno;
	if (file >= 0) close(file);
	if (!is_ready && qs_arena.path[0] != 0) {
		unlink(qs_arena.path);
		qs_arena_name_write(directory, "", first_stream != 0);
	}
	errno = error;
	return is_ready;
}

void qs_arena_close(bool is_abandoned)
{
	qs_arena.path[0] = 0;
	if (qs_arena.memory == NULL) return;
	mmap(qs_arena.memory, qs_arena.reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
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
	qs_arena.path[0] = 0;
}
