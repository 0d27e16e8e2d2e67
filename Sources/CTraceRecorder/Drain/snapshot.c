#define _GNU_SOURCE
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../Events/arena_layout.h"
#include "../Events/event_reading.h"
#include "../Events/identity.h"
#include "../Events/packet.h"
#include "../System/directory_entries.h"
#include "CTraceRecorder.h"

enum {
	NAME_BYTES = 40,
	BLOCK = 256 * 1024,
	// The environment block of the metadata ends within this number of bytes.
	HEAD_BYTES = 4096,
	// Files that the recorder creates while the directory is listed.
	SPARE_FILES = 64,
	REASON_BYTES = 512,
};

struct file {
	char name[NAME_BYTES];
	uint64_t size;
};

struct snapshot {
	int trace;  // directory
	int target; // directory
	uint64_t end_time;
	unsigned char *block;
	struct file *files;
	size_t count;
	size_t room;
	size_t mapped;
	// Without the streams of a second recorder, as the recorder thread counts them.
	uint32_t streams;
	uint64_t bytes;
};

static bool is_definitions(const char *name)
{
	return strncmp(name, "definitions", strlen("definitions")) == 0;
}

// Whether the metadata counts the file: it does not count the streams of a second recorder, and the time until which
// events were overwritten.
static bool is_counted(const char *name)
{
	const char *number = strrchr(name, '-');
	return strcmp(name, "definitions-of-library") != 0 && strcmp(name, "overwritten") != 0
		&& (number == NULL || atoi(number + 1) < QS_SHARED_FIRST_STREAM);
}

// MARK: The list of files

static void count_file(const char *name, void *context)
{
	struct snapshot *snapshot = context;
	if (name[0] != '.') snapshot->room++;
}

static void add_file(const char *name, void *context)
{
	struct snapshot *snapshot = context;
	if (name[0] == '.' || strlen(name) >= NAME_BYTES || snapshot->count == snapshot->room) return;
	strcpy(snapshot->files[snapshot->count++].name, name);
}

static void read_sizes(struct snapshot *snapshot, bool of_definitions)
{
	for (size_t index = 0; index < snapshot->count; index++) {
		struct file *file = &snapshot->files[index];
		struct stat status;
		if (is_definitions(file->name) != of_definitions) continue;
		bool is_file =
			fstatat(snapshot->trace, file->name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
		file->size = is_file ? (uint64_t)status.st_size : 0;
	}
}

// When a flight recorder has overwritten all events before the end of the snapshot since then, the snapshot has the
// newest events instead.
static void forget_overwritten_end(struct snapshot *snapshot)
{
	int file = openat(snapshot->trace, "overwritten", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file < 0) return;
	struct qs_packet packet;
	bool is_read = pread(file, &packet, QS_PACKET_HEAD, 0) == QS_PACKET_HEAD;
	if (is_read && packet.packet_seq_num != 0 && packet.timestamp_begin >= snapshot->end_time) {
		snapshot->end_time = UINT64_MAX;
	}
	close(file);
}

static bool list_files(struct snapshot *snapshot)
{
	if (!qs_directory_visit(snapshot->trace, count_file, snapshot)) return false;
	snapshot->room += SPARE_FILES;
	snapshot->mapped = BLOCK + snapshot->room * sizeof(struct file);
	void *memory = mmap(NULL, snapshot->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) return false;
	snapshot->block = memory;
	snapshot->files = (struct file *)(snapshot->block + BLOCK);
	if (!qs_directory_visit(snapshot->trace, add_file, snapshot)) return false;
	read_sizes(snapshot, false);
	read_sizes(snapshot, true);
	return true;
}

// MARK: The copy

// The part of a stream's file to copy.
struct extract {
	uint64_t end;            // of the part, in bytes
	uint64_t last;           // offset of its last packet
	struct qs_packet packet; // head of the last packet
};

// Finds the end of the last whole packet within the size. The first packet that ends after the time is the last one.
static struct extract whole_packets(int file, uint64_t size, uint64_t end_time)
{
	struct extract extract = {0};
	struct qs_packet head = {0};
	while (extract.end + QS_PACKET_HEAD <= size && head.timestamp_end <= end_time) {
		if (pread(file, &head, QS_PACKET_HEAD, (off_t)extract.end) != QS_PACKET_HEAD) break;
		uint64_t bytes = head.packet_size / 8;
		bool is_packet = head.magic == QS_PACKET_MAGIC && head.packet_size % 8 == 0 && bytes >= QS_PACKET_HEAD;
		if (!is_packet || bytes > size - extract.end) break;
		extract.last = extract.end;
		extract.packet = head;
		extract.end += bytes;
	}
	return extract;
}

// Lets the last packet end before the first event that is later than the end of the snapshot.
static void cut(struct snapshot *snapshot, int file, struct extract *extract)
{
	struct qs_packet *packet = (struct qs_packet *)snapshot->block;
	uint64_t size = extract->packet.content_size / 8;
	if (extract->packet.timestamp_end <= snapshot->end_time || size < QS_PACKET_HEAD || size > BLOCK) return;
	if (pread(file, packet, size, (off_t)extract->last) != (ssize_t)size) return;
	struct qs_read_event event = qs_event_before_first(packet), next = event;
	uint32_t count = 0;
	while (qs_event_read_next(&next, snapshot->block + size) && next.time <= snapshot->end_time) {
		event = next;
		count++;
	}
	// A stream without an event before that time has no file. The begin of a packet after overwritten packets shows
	// the time of the overwritten events.
	if (count == 0 && packet->packet_seq_num == 0) {
		extract->end = 0;
		return;
	}
	uint64_t bytes = (uint64_t)(event.end - snapshot->block);
	extract->packet.timestamp_end = event.time;
	extract->packet.content_size = bytes * 8;
	extract->packet.packet_size = bytes * 8;
	if (extract->packet.event_count != 0) extract->packet.event_count = count;
	extract->end = extract->last + bytes;
}

// The position of the next data, `end` when only a hole follows: the overwritten part of a flight recorder's file.
static uint64_t next_data(int file, uint64_t from, uint64_t end)
{
	off_t data = lseek(file, (off_t)from, SEEK_DATA);
	if (data < 0) return errno == ENXIO ? end : from;
	return (uint64_t)data < end ? (uint64_t)data : end;
}

static int copy_data(const struct snapshot *snapshot, int source, int target, uint64_t end)
{
	for (uint64_t position = next_data(source, 0, end); position < end; position = next_data(source, position, end)) {
		size_t wanted = end - position < BLOCK ? (size_t)(end - position) : BLOCK;
		ssize_t count = pread(source, snapshot->block, wanted, (off_t)position);
		if (count <= 0) {
			if (count == 0) errno = EIO;
			return QS_SNAPSHOT_CANNOT_READ;
		}
		ssize_t written = pwrite(target, snapshot->block, (size_t)count, (off_t)position);
		if (written != count) {
			if (written >= 0) errno = ENOSPC;
			return QS_SNAPSHOT_CANNOT_CREATE;
		}
		position += (uint64_t)count;
	}
	return ftruncate(target, (off_t)end) == 0 ? QS_SNAPSHOT_OK : QS_SNAPSHOT_CANNOT_CREATE;
}

// A write beyond RLIMIT_FSIZE would end the program with SIGXFSZ.
static bool may_have_size(uint64_t size)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || size <= limit.rlim_cur) return true;
	errno = EFBIG;
	return false;
}

static int copy_opened(struct snapshot *snapshot, const struct file *file, int source)
{
	bool is_metadata = strcmp(file->name, "metadata") == 0;
	// Definitions can be later than the first event that refers to them.
	bool is_cut = !is_metadata && !is_definitions(file->name) && strcmp(file->name, "overwritten") != 0;
	struct extract extract = {.end = file->size};
	if (!is_metadata) extract = whole_packets(source, file->size, is_cut ? snapshot->end_time : UINT64_MAX);
	if (is_cut) cut(snapshot, source, &extract);
	if (extract.end == 0) return QS_SNAPSHOT_OK;
	if (!may_have_size(extract.end)) return QS_SNAPSHOT_CANNOT_CREATE;
	int target = openat(snapshot->target, file->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (target < 0) return QS_SNAPSHOT_CANNOT_CREATE;
	int result = copy_data(snapshot, source, target, extract.end);
	bool has_head = !is_cut || result != QS_SNAPSHOT_OK
		|| pwrite(target, &extract.packet, QS_PACKET_HEAD, (off_t)extract.last) == QS_PACKET_HEAD;
	if (!has_head) result = QS_SNAPSHOT_CANNOT_CREATE;
	int error = errno;
	close(target);
	errno = error;
	if (result != QS_SNAPSHOT_OK || is_metadata || !is_counted(file->name)) return result;
	snapshot->bytes += extract.end;
	snapshot->streams += is_definitions(file->name) ? 0 : 1;
	return result;
}

static int copy_file(struct snapshot *snapshot, const struct file *file)
{
	// Files that the recorder created in advance are empty.
	if (file->size == 0) return QS_SNAPSHOT_OK;
	int source = openat(snapshot->trace, file->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (source < 0) return QS_SNAPSHOT_CANNOT_READ;
	int result = copy_opened(snapshot, file, source);
	int error = errno;
	close(source);
	errno = error;
	return result;
}

// MARK: The metadata of the copy

// Writes a number into the reserved space of the metadata.
static void write_number(int metadata, const char *head, size_t length, const char *name, int digits, uint64_t number)
{
	char text[24];
	const char *place = memmem(head, length, name, strlen(name));
	if (place == NULL || snprintf(text, sizeof text, "%*llu", digits, (unsigned long long)number) != digits) return;
	off_t offset = place - head + (off_t)strlen(name);
	bool is_reserved = (size_t)(offset + digits) < length && head[offset + digits] == ';';
	if (is_reserved) (void)!pwrite(metadata, text, (size_t)digits, offset);
}

// Writes the number of streams and their bytes into the metadata. The copy is complete without them.
static void write_counts(const struct snapshot *snapshot)
{
	int metadata = openat(snapshot->target, "metadata", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (metadata < 0) return;
	char *head = (char *)snapshot->block;
	ssize_t length = pread(metadata, head, HEAD_BYTES, 0);
	if (length > 0) {
		write_number(metadata, head, (size_t)length, "\tstreams = ", 5, snapshot->streams);
		write_number(metadata, head, (size_t)length, "\tstream_bytes = ", 15, snapshot->bytes);
	}
	close(metadata);
}

// Writes one line. SnapshotReason.swift reads it.
static void write_reason(const struct snapshot *snapshot, const char *reason)
{
	char line[REASON_BYTES];
	size_t length = 0;
	for (; *reason != 0 && length + 1 < sizeof line; reason++) {
		line[length++] = (unsigned char)*reason < 0x20 || *reason == 0x7F ? ' ' : *reason;
	}
	line[length++] = '\n';
	int file = openat(snapshot->target, ".snapshot", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) return;
	(void)!write(file, line, length);
	close(file);
}

// MARK: The whole

static void remove_files(const struct snapshot *snapshot)
{
	for (size_t index = 0; index < snapshot->count; index++) unlinkat(snapshot->target, snapshot->files[index].name, 0);
}

static int copy_trace(struct snapshot *snapshot, const char *reason)
{
	if (!list_files(snapshot)) return QS_SNAPSHOT_CANNOT_READ;
	forget_overwritten_end(snapshot);
	int result = QS_SNAPSHOT_OK;
	for (size_t index = 0; index < snapshot->count && result == QS_SNAPSHOT_OK; index++) {
		result = copy_file(snapshot, &snapshot->files[index]);
	}
	int error = errno;
	if (result == QS_SNAPSHOT_OK) {
		write_counts(snapshot);
		if (reason != NULL) write_reason(snapshot, reason);
	} else {
		remove_files(snapshot);
	}
	errno = error;
	return result;
}

int qs_snapshot_copy(const char *trace, const char *target, uint64_t end_time, const char *reason)
{
	struct snapshot snapshot = {
		.end_time = end_time,
		.trace = open(trace, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW),
		.target = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW),
	};
	int lock = snapshot.trace >= 0 ? openat(snapshot.trace, "metadata", O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	int result;
	if (snapshot.target < 0) result = QS_SNAPSHOT_CANNOT_CREATE;
	else if (lock < 0 || flock(lock, LOCK_SH) != 0) result = QS_SNAPSHOT_CANNOT_READ;
	else result = copy_trace(&snapshot, reason);
	int error = errno;
	if (snapshot.block != NULL) munmap(snapshot.block, snapshot.mapped);
	if (lock >= 0) {
		// A child that was forked in the meantime may have a copy of the descriptor.
		flock(lock, LOCK_UN);
		close(lock);
	}
	if (snapshot.target >= 0) close(snapshot.target);
	if (snapshot.trace >= 0) close(snapshot.trace);
	errno = error;
	return result;
}
