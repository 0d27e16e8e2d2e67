// Prepares packets ahead of the threads that fill them, so that these need no system call and no page fault.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event_writing.h"
#include "session.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static const uint64_t QS_DISK_RESERVE = 512ull << 20;

void qs_stream_path(const struct qs_stream *stream, char *path)
{
	if (stream->number == 0) {
		snprintf(path, PATH_MAX, "%s/definitions", qs_session.directory);
	} else {
		snprintf(path, PATH_MAX, "%s/thread-%04u", qs_session.directory, stream->number);
	}
}

// Reserves disk space, so that a store into the mapping cannot fail with SIGBUS on a full disk.
static bool reserve(int file, uint64_t offset, uint32_t bytes, bool is_owner)
{
	// Past the process's limit of a file's size the system would send SIGXFSZ, which ends the program.
	struct rlimit size;
	if (getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY && offset + bytes > size.rlim_cur) {
		return false;
	}
	int result;
	do {
		result = fallocate(file, 0, (off_t)offset, bytes);
	} while (result != 0 && errno == EINTR);
	if (result == 0) return true;
	if (errno != EOPNOTSUPP && errno != ENOSYS) return false;
	// A file system that cannot reserve: write zeros, which needs the space as well. Only the owner of the stream knows that nothing is there yet.
	if (!is_owner) return false;
	static const unsigned char zeros[QS_PAGE_SIZE];
	for (uint64_t done = 0; done < bytes; done += sizeof zeros) {
		if (pwrite(file, zeros, sizeof zeros, (off_t)(offset + done)) != (ssize_t)sizeof zeros) return false;
	}
	return true;
}

// Makes the pages present and writable now; false when a store would raise SIGBUS. MAP_POPULATE would only read them: on a file system that tracks dirty pages the first store to each
// would still fault, on the hot path.
static bool populate(struct qs_packet *packet, uint32_t bytes)
{
	if (madvise(packet, bytes, MADV_POPULATE_WRITE) == 0) return true;
	if (errno != EINVAL) return false;
	// Linux before 5.14: a store that changes nothing, for the stream may have passed on meanwhile and use these pages.
	unsigned char *pages = (unsigned char *)packet;
	for (size_t page = 0; page < bytes; page += QS_PAGE_SIZE) __atomic_fetch_or(&pages[page], 0, __ATOMIC_RELAXED);
	return true;
}

// Whether the file system keeps a reserve with this packet in it: a recording that nobody watches must not fill the disk that the program
// and its machine live on. 512 MiB, or a sixteenth of a small file system.
static bool leaves_reserve(int file, uint32_t bytes)
{
	struct statvfs status;
	if (fstatvfs(file, &status) != 0 || status.f_blocks == 0) return true; // not known; the reservation below still fails on a full disk
	uint64_t total = (uint64_t)status.f_blocks * status.f_frsize;
	uint64_t reserve = total / 16 < QS_DISK_RESERVE ? total / 16 : QS_DISK_RESERVE;
	return (uint64_t)status.f_bavail * status.f_frsize >= reserve + bytes;
}

// Whether it is a plain file with no other name: nobody has put a link to another file in its place.
static bool is_ours(int file)
{
	struct stat status;
	return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1;
}

struct qs_packet *qs_packet_map(const struct qs_stream *stream, uint64_t offset, uint32_t bytes, bool is_owner)
{
	uint64_t used = __atomic_load_n(&qs_session.bytes, __ATOMIC_RELAXED);
	if (qs_session.limit != 0 && used + bytes > qs_session.limit) return NULL;
	char path[PATH_MAX];
	qs_stream_path(stream, path);
	// The file is opened for each packet: a descriptor that stays open could be closed by the program, and its number be given to one of
	// the program's own files, which must never be written to.
	int create = is_owner && offset == 0 ? O_CREAT : 0;
	int file = open(path, O_RDWR | create | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) return NULL;
	if (!is_ours(file)) {
		close(file);
		return NULL;
	}
	struct qs_packet *packet = NULL;
	if (leaves_reserve(file, bytes) && reserve(file, offset, bytes, is_owner)) {
		packet = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset);
		if (packet == MAP_FAILED) {
			packet = NULL;
		} else if (!populate(packet, bytes)) {
			munmap(packet, bytes);
			packet = NULL;
		}
	}
	close(file);
	return packet;
}

// Does what one stream asks for.
static void supply(struct qs_stream *stream)
{
	qs_word_unmap(__atomic_exchange_n(&stream->retired, 0, __ATOMIC_ACQUIRE));
	if (!__atomic_exchange_n(&stream->wants_packet, 0, __ATOMIC_ACQUIRE)) return;
	if (__atomic_load_n(&stream->prepared, __ATOMIC_RELAXED) != 0) return;
	uint64_t offset = __atomic_load_n(&stream->next_offset, __ATOMIC_ACQUIRE);
	uint32_t bytes = __atomic_load_n(&stream->next_bytes, __ATOMIC_RELAXED);
	struct qs_packet *packet = qs_packet_map(stream, offset, bytes, false);
	if (packet == NULL && bytes > QS_PACKET_SIZE) packet = qs_packet_map(stream, offset, bytes = QS_PACKET_SIZE, false);
	if (packet == NULL) return; // the writer will find out, and counts
	// Pairs with the exchange in qs_stream_take_prepared.
	__atomic_store_n(&stream->prepared, qs_prepared_word(packet, bytes, offset), __ATOMIC_RELEASE);
}

// A better calibration for the metadata than the one of the start, in case the program is killed.
static void refine_calibration(void)
{
	qs_metadata_write(qs_clock_calibrate(qs_session.started, qs_clock_sample()));
}

static void *supply_loop(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "queuescope");
	qs_thread_inside = true; // records nothing itself
	bool refined = false;
	uint32_t seen = 0;
	for (;;) {
		uint32_t requests = __atomic_load_n(&qs_session.supply_requests, __ATOMIC_ACQUIRE);
		if (requests != seen) {
			seen = requests;
			supply(&qs_session.definitions);
			struct qs_stream *stream = __atomic_load_n(&qs_session.streams, __ATOMIC_ACQUIRE);
			for (; stream != NULL; stream = stream->next) supply(stream);
			continue;
		}
		if (__atomic_load_n(&qs_session.stopping, __ATOMIC_ACQUIRE)) return NULL;
		struct timespec quarter = {.tv_nsec = 250 * 1000 * 1000};
		long result = syscall(SYS_futex, &qs_session.supply_requests, FUTEX_WAIT_PRIVATE, requests,
			refined ? NULL : &quarter, NULL, 0);
		if (result != 0 && errno == ETIMEDOUT) {
			refine_calibration();
			refined = true;
		}
	}
}

static void wake_supplier(void)
{
	__atomic_fetch_add(&qs_session.supply_requests, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &qs_session.supply_requests, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void qs_supply_request(struct qs_stream *stream)
{
	if (!qs_session.has_supplier) return; // the writer maps its packets itself
	__atomic_store_n(&stream->wants_packet, 1, __ATOMIC_RELEASE);
	wake_supplier();
}

void qs_supply_start(void)
{
	qs_session.stopping = false;
	// The program's signals are for the program's threads.
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	qs_session.has_supplier = pthread_create(&qs_session.supplier, &attributes, supply_loop, NULL) == 0;
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void qs_supply_stop(void)
{
	if (!qs_session.has_supplier) return;
	__atomic_store_n(&qs_session.stopping, true, __ATOMIC_RELEASE);
	wake_supplier();
	pthread_join(qs_session.supplier, NULL);
	qs_session.has_supplier = false;
}
