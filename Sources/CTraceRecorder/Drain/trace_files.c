#define _GNU_SOURCE
#include "trace_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../Events/arena_name.h"
#include "../Events/identity.h"
#include "../Events/stream.h"
#include "../System/memory_limit.h"
#include "../System/system_calls.h"
#include "../System/task_list.h"

static const uint64_t DISK_RESERVE = 512ull << 20;

// All descriptors are stored + 1; 0: not open.
static struct {
	bool are_private; // this thread has its own descriptor table, so the files can stay open
	int directory;
	int metadata;
	int arena_name;       // locked while this process records
	uint32_t first_spare; // index of the first stream with a file that was created in advance; 0: none
	uint32_t spares;  // streams from that one up to this index have a file, open or closed
	const char *path; // of the directory
} files;

static int opened(int file)
{
	return file + 1;
}

static void close_file(int *file)
{
	if (*file != 0) close(*file - 1);
	*file = 0;
}

// MARK: Private descriptors

static void note_largest(uint32_t file, void *largest)
{
	if (file > *(uint32_t *)largest) *(uint32_t *)largest = file;
}

static bool leave_descriptor_table(void)
{
	unshare(CLONE_FS);
	if (syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) == 0) return true;
	// Linux before 5.9: copy the program's table, and close all descriptors of the copy.
	uint32_t largest = 2;
	if (unshare(CLONE_FILES) != 0 || !qs_numbers_visit("/proc/thread-self/fd", note_largest, &largest)) return false;
	for (uint32_t file = 0; file <= largest; file++) close((int)file);
	return true;
}

bool qs_trace_files_leave_program(void)
{
	if (!leave_descriptor_table()) return false;
	// Output of libc to standard error must not go into another file.
	for (int file = 0; file < 3; file++) open("/dev/null", O_RDWR | O_CLOEXEC);
	return true;
}

// Makes the arena memory without a name, which ends with the process.
static void hide_arena(const char *directory)
{
	qs_arena_name_write(directory, -1, qs_identity.is_joined);
	qs_arena_remove();
}

// Locks the file that names the arena. The lock shows readers that the trace is still being written, also readers that
// cannot attach the arena because they are in another container. In the program's descriptor table it would be released
// when the program closes its descriptors.
static void lock_arena(const char *directory)
{
	char name[PATH_MAX];
	int length = snprintf(name, sizeof name, "%s/%s", directory, qs_arena_name_file(qs_identity.is_joined));
	if (length >= (int)sizeof name) return;
	files.arena_name = opened(open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW));
	// Without the lock, the next reader would complete the trace and remove the arena. So no reader may find it. Where
	// the program has no free descriptors, the arena keeps its name: it is the only place of the events.
	if (files.arena_name != 0 && flock(files.arena_name - 1, LOCK_EX | LOCK_NB) != 0) hide_arena(directory);
}

void qs_trace_files_open(const char *directory)
{
	memset(&files, 0, sizeof files); // after a fork it has the parent's state
	files.are_private = qs_trace_files_leave_program();
	files.path = directory;
	if (qs_arena_outlives_process()) lock_arena(directory);
	if (!files.are_private) return;
	files.directory = opened(open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
	if (!qs_identity.is_joined && files.directory != 0) {
		files.metadata = opened(openat(files.directory - 1, "metadata", O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
	}
}

bool qs_trace_files_are_private(void)
{
	return files.are_private;
}

// MARK: Data streams

enum { NAME_BYTES = 32 };

static void name_stream(char *name, uint32_t kind, uint32_t index)
{
	if (kind == QS_STREAM_DEFINITIONS) {
		snprintf(name, NAME_BYTES, "definitions");
	} else if (kind == QS_STREAM_DEFINITIONS_OF_LIBRARY) {
		snprintf(name, NAME_BYTES, "definitions-of-library");
	} else if (kind == QS_STREAM_OVERWRITTEN) {
		snprintf(name, NAME_BYTES, "overwritten");
	} else {
		const char *writer = kind == QS_STREAM_KERNEL ? "kernel" : "thread";
		snprintf(name, NAME_BYTES, "%s-%04u", writer, qs_identity.first_stream + index);
	}
}

// Whether it is a regular file without another link, so that it cannot be a link to a file outside the trace.
static bool is_ours(int file)
{
	struct stat status;
	return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1;
}

static int open_name(const char *name, bool is_new)
{
	int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (is_new ? O_CREAT : 0);
	if (files.directory != 0) return openat(files.directory - 1, name, flags, 0600);
	char path[PATH_MAX];
	if (snprintf(path, sizeof path, "%s/%s", files.path, name) >= (int)sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, flags, 0600);
}

static void close_streams(void)
{
	uint32_t last = files.spares > qs_streams_count() ? files.spares : qs_streams_count();
	for (uint32_t index = 1; index <= last; index++) close_file(&qs_stream_at(index)->copy.file);
	close_file(&qs_definitions_stream.copy.file);
}

// Opens the stream's file unless it is open. `is_new`: creates a missing file. Returns the descriptor, or -1 with
// errno.
static int open_file_of(struct qs_stream *stream, bool is_new)
{
	if (stream->copy.file != 0) return stream->copy.file - 1;
	char name[NAME_BYTES];
	name_stream(name, stream->kind, stream->index);
	int file = open_name(name, is_new);
	if (file < 0 && errno == EMFILE) {
		close_streams();
		file = open_name(name, is_new);
	}
	if (file >= 0 && !is_ours(file)) {
		close(file);
		errno = EEXIST;
		return -1;
	}
	stream->copy.file = opened(file);
	return file;
}

static int open_stream(struct qs_stream *stream)
{
	return open_file_of(stream, stream->copy.done.file_end == 0);
}

// Creates files for future streams. They stay open, so that a stream can use its file after a change of the user.
static void make_spares(void)
{
	uint32_t wanted = qs_streams_count() + QS_SPARE_STREAMS / 2;
	if (!files.are_private || geteuid() != 0 || files.spares >= wanted) return;
	uint32_t end = qs_streams_count() + QS_SPARE_STREAMS;
	if (end > QS_MAX_STREAMS) end = QS_MAX_STREAMS;
	uint32_t first = files.spares > qs_streams_count() ? files.spares : qs_streams_count();
	for (uint32_t index = first + 1; index <= end; index++) {
		char name[NAME_BYTES];
		name_stream(name, QS_STREAM_THREAD, index);
		int file = open_name(name, true);
		if (file < 0) return;
		qs_stream_at(index)->copy.file = opened(file);
		if (files.first_spare == 0) files.first_spare = index;
		files.spares = index;
	}
}

void qs_trace_files_make(void)
{
	if (!files.are_private) return;
	int definitions = open_stream(&qs_definitions_stream);
	// Reserves room for the number of discarded events, for the case that the disk is full by then.
	if (definitions >= 0) fallocate(definitions, FALLOC_FL_KEEP_SIZE, 0, QS_UNIT);
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		if (qs_stream_at(index)->chunk != 0) open_stream(qs_stream_at(index));
	}
	make_spares();
}

static void remove_spares(void)
{
	for (uint32_t index = files.first_spare; index != 0 && index <= files.spares; index++) {
		struct qs_stream *stream = qs_stream_at(index);
		close_file(&stream->copy.file);
		char name[NAME_BYTES];
		name_stream(name, QS_STREAM_THREAD, index);
		if (stream->copy.done.file_end == 0 && files.directory != 0) unlinkat(files.directory - 1, name, 0);
	}
}

// Reason for a short write: RLIMIT_FSIZE, or no room. A second write would raise SIGXFSZ.
static int reason_for_short_write(uint64_t end)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && end >= limit.rlim_cur ? EFBIG : ENOSPC;
}

int qs_trace_file_write(struct qs_stream *stream, const struct iovec *parts, int count, uint64_t offset)
{
	make_spares();
	int file = open_stream(stream);
	if (file < 0) return errno;
	size_t bytes = 0;
	for (int index = 0; index < count; index++) bytes += parts[index].iov_len;
	ssize_t written;
	do {
		written = pwritev(file, parts, count, (off_t)offset);
	} while (written < 0 && errno == EINTR);
	int error = written == (ssize_t)bytes ? 0
		: written < 0 ? errno : reason_for_short_write(offset + (uint64_t)written);
	if (!files.are_private) close_file(&stream->copy.file);
	return error;
}

bool qs_trace_file_read(struct qs_stream *stream, void *bytes, size_t count, uint64_t offset)
{
	int file = open_stream(stream);
	if (file < 0) return false;
	bool is_read = pread(file, bytes, count, (off_t)offset) == (ssize_t)count;
	if (!files.are_private) close_file(&stream->copy.file);
	return is_read;
}

bool qs_trace_file_make_hole(struct qs_stream *stream, uint64_t from, uint64_t to)
{
	int file = open_stream(stream);
	if (file < 0) return false;
	int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
	bool is_made = fallocate(file, mode, (off_t)from, (off_t)(to - from)) == 0;
	if (!files.are_private) close_file(&stream->copy.file);
	return is_made;
}

bool qs_trace_files_lock(void)
{
	if (files.metadata == 0) files.metadata = opened(open_name("metadata", false));
	if (files.metadata != 0 && flock(files.metadata - 1, LOCK_EX | LOCK_NB) == 0) return true;
	if (!files.are_private) close_file(&files.metadata);
	return false;
}

void qs_trace_files_unlock(void)
{
	flock(files.metadata - 1, LOCK_UN);
	if (!files.are_private) close_file(&files.metadata);
}

void qs_trace_file_finish(struct qs_stream *stream)
{
	// A stream without a chunk in this session has no packets. One that has a chunk may have a torn write only.
	if (stream->copy.done.order != 0 && open_file_of(stream, false) >= 0) {
		int result = ftruncate(stream->copy.file - 1, (off_t)stream->copy.done.file_end);
		(void)result; // a reader handles the tail
	}
	close_file(&stream->copy.file);
}

bool qs_trace_metadata_write(const char *text, size_t length)
{
	int file = files.metadata != 0 ? files.metadata - 1 : open_name("metadata", false);
	if (file < 0) return false;
	bool is_written = pwrite(file, text, length, 0) == (ssize_t)length;
	if (files.metadata == 0) close(file);
	return is_written;
}

// MARK: Room

uint64_t qs_trace_files_room(void)
{
	struct statfs status;
	int result = files.directory != 0 ? fstatfs(files.directory - 1, &status) : statfs(files.path, &status);
	if (result != 0 || status.f_blocks == 0) return UINT64_MAX;
	uint64_t total = (uint64_t)status.f_blocks * (uint64_t)status.f_bsize;
	uint64_t available = (uint64_t)status.f_bavail * (uint64_t)status.f_bsize;
	// Or a sixteenth of a small file system.
	uint64_t reserve = total / 16 < DISK_RESERVE ? total / 16 : DISK_RESERVE;
	if (available <= reserve) return 0;
	uint64_t room = available - reserve;
	return status.f_type == TMPFS_MAGIC ? qs_memory_room(room) : room;
}

void qs_trace_files_sync(void)
{
	if (files.directory != 0) syncfs(files.directory - 1);
}

void qs_trace_files_close(bool is_complete)
{
	remove_spares();
	close_streams();
	if (is_complete && qs_arena_outlives_process()) {
		qs_arena_remove();
		// Last: a name without an arena needs no recovery.
		if (files.directory != 0) unlinkat(files.directory - 1, qs_arena_name_file(qs_identity.is_joined), 0);
	}
	close_file(&files.arena_name);
	close_file(&files.metadata);
	close_file(&files.directory);
}
