// Prepares packets ahead of the threads that fill them, so that these need no system call and no page fault.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
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
#include "processor_track.h"
#include "recorder_thread.h"
#include "session.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static const uint64_t QS_DISK_RESERVE = 512ull << 20;
// When the calibration is written again, in case the program is killed: soon, as the first is rough, and once more.
static const int64_t QS_REFINE_AFTER_NS = 20 * 1000 * 1000;
static const int64_t QS_REFINE_AGAIN_AFTER_NS = 250 * 1000 * 1000;

void qs_stream_set_path(struct qs_stream *stream)
{
	size_t size = sizeof stream->path;
	if (stream == &qs_session.definitions) {
		snprintf(stream->path, size, "%s/definitions%s", qs_session.directory, qs_session.is_joined ? "-of-library" : "");
	} else {
		const char *writer = stream->is_of_kernel ? "kernel" : "thread";
		snprintf(stream->path, size, "%s/%s-%04u", qs_session.directory, writer, stream->number);
	}
}

// Makes the file at least this long, with zeros. They go to the file's end, wherever that is by then: where another thread, the new owner of the stream or the supply thread, was faster, the
// file becomes longer than need be, but nothing that was written is written over.
static bool append_zeros(int file, uint64_t length)
{
	static unsigned char zeros[QS_PACKET_SIZE]; // never written to; a constant would lie in the file of the object
	struct stat status;
	if (fstat(file, &status) != 0) return false;
	uint64_t missing = (uint64_t)status.st_size < length ? length - (uint64_t)status.st_size : 0;
	while (missing > 0) {
		ssize_t count = write(file, zeros, missing < sizeof zeros ? (size_t)missing : sizeof zeros);
		if (count < 0 && errno == EINTR) continue;
		if (count <= 0) return false;
		missing -= (uint64_t)count;
	}
	return true;
}

// Makes room in the file and on the disk, so that a store into the mapping cannot fail with SIGBUS. Written zeros rather than reserved space alone: the page cache takes what is written in pieces
// of many pages, and what a store finds missing page by page, which costs five times as much.
static bool reserve(int file, uint64_t offset, uint32_t bytes)
{
	// Past the process's limit of a file's size the system would send SIGXFSZ, which ends the program; zeros may go past the end of this packet.
	struct rlimit size;
	bool is_unlimited = getrlimit(RLIMIT_FSIZE, &size) != 0 || size.rlim_cur == RLIM_INFINITY;
	if (!is_unlimited && offset + bytes > size.rlim_cur) return false;
	int result;
	do {
		result = fallocate(file, is_unlimited ? FALLOC_FL_KEEP_SIZE : 0, (off_t)offset, bytes);
	} while (result != 0 && errno == EINTR);
	// A file system that cannot reserve has the space when zeros could be written.
	if (result != 0 && errno != EOPNOTSUPP && errno != ENOSYS) return false;
	return is_unlimited ? append_zeros(file, offset + bytes) : result == 0;
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

static struct qs_packet *map_packet(const struct qs_stream *stream, uint64_t offset, uint32_t bytes, bool is_owner)
{
	uint64_t used = __atomic_load_n(&qs_session.bytes, __ATOMIC_RELAXED);
	if (qs_session.limit != 0 && used + bytes > qs_session.limit) return NULL;
	// The file is opened for each packet: a descriptor that stays open could be closed by the program, and its number be given to one of
	// the program's own files, which must never be written to.
	int create = is_owner && offset == 0 ? O_CREAT : 0;
	int file = open(stream->path, O_RDWR | O_APPEND | create | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) return NULL;
	if (!is_ours(file)) {
		close(file);
		return NULL;
	}
	struct qs_packet *packet = NULL;
	if (leaves_reserve(file, bytes) && reserve(file, offset, bytes)) {
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

struct qs_packet *qs_packet_map(const struct qs_stream *stream, uint64_t offset, uint32_t bytes, bool is_owner)
{
	// The program's thread may be about to be cancelled; what is called here would be where, with a lock held.
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	struct qs_packet *packet = map_packet(stream, offset, bytes, is_owner);
	pthread_setcancelstate(cancellation, NULL);
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

static void refine_calibration(void)
{
	qs_metadata_rewrite(qs_clock_calibrate(qs_session.started, qs_clock_sample()));
}

// Until there is another request, or until this time.
static void wait_for_request(uint32_t seen, int64_t until_ns)
{
	struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
	syscall(SYS_futex, &qs_session.supply_requests, FUTEX_WAIT_BITSET_PRIVATE, seen,
		until_ns == INT64_MAX ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

// Gives this thread an empty table of file descriptors of its own: what it opens takes no number from the program, is not seen by it, and cannot be closed by it. Before Linux
// 5.9 they share one.
static void leave_descriptors(void)
{
	syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE);
}

// A program that crashes stops all its threads.
static void heed_stop_signal(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// Here rather than on the program's threads: the loader's lock may be held by a thread of the program that waits for another.
static void record_new_images(void)
{
	if (!__atomic_exchange_n(&qs_session.wants_images, false, __ATOMIC_ACQUIRE)) return;
	qs_thread_inside = false;
	qs_images_record();
	qs_thread_inside = true;
}

static void *supply_loop(void *starter_tid)
{
	prctl(PR_SET_NAME, "queuescope");
	qs_thread_inside = true; // records nothing itself
	leave_descriptors();
	qs_processor_track_start((uint32_t)(uintptr_t)starter_tid);
	__atomic_store_n(&qs_session.supplier_ready, 1, __ATOMIC_RELEASE); // pairs with the load in wait_for_supplier
	syscall(SYS_futex, &qs_session.supplier_ready, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	int64_t start = qs_clock_system(CLOCK_MONOTONIC);
	int64_t refine_time = start + QS_REFINE_AFTER_NS;
	uint32_t seen = 0;
	for (;;) {
		uint32_t requests = __atomic_load_n(&qs_session.supply_requests, __ATOMIC_ACQUIRE);
		int64_t now = qs_clock_system(CLOCK_MONOTONIC);
		if (now >= refine_time) {
			refine_calibration();
			int64_t again = start + QS_REFINE_AGAIN_AFTER_NS;
			refine_time = refine_time < again ? again : INT64_MAX;
		}
		int64_t drain_time = qs_processor_track_drain(now);
		if (__atomic_exchange_n(&qs_session.lets_stop_signal_through, false, __ATOMIC_ACQUIRE)) heed_stop_signal();
		record_new_images();
		if (requests != seen) {
			seen = requests;
			supply(&qs_session.definitions);
			struct qs_stream *stream = __atomic_load_n(&qs_session.streams, __ATOMIC_ACQUIRE);
			for (; stream != NULL; stream = stream->next) supply(stream);
			continue;
		}
		if (__atomic_load_n(&qs_session.stopping, __ATOMIC_ACQUIRE)) {
			qs_processor_track_stop();
			return NULL;
		}
		wait_for_request(requests, refine_time < drain_time ? refine_time : drain_time);
	}
}

// Threads that are made from here on are in the processor track.
static void wait_for_supplier(void)
{
	while (__atomic_load_n(&qs_session.supplier_ready, __ATOMIC_ACQUIRE) == 0) {
		syscall(SYS_futex, &qs_session.supplier_ready, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	}
}

static void wake_supplier(void)
{
	__atomic_fetch_add(&qs_session.supply_requests, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &qs_session.supply_requests, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void qs_supply_let_stop_signal_through(void)
{
	if (!__atomic_load_n(&qs_session.has_supplier, __ATOMIC_RELAXED)) return;
	__atomic_store_n(&qs_session.lets_stop_signal_through, true, __ATOMIC_RELEASE);
	wake_supplier();
}

void qs_supply_request(struct qs_stream *stream)
{
	bool has_supplier = __atomic_load_n(&qs_session.has_supplier, __ATOMIC_RELAXED);
	if (!has_supplier) return; // the writer maps its packets itself
	__atomic_store_n(&stream->wants_packet, 1, __ATOMIC_RELEASE);
	wake_supplier();
}

void qs_supply_start(void)
{
	qs_session.stopping = false;
	qs_session.supplier_ready = 0;
	void *starter = (void *)(uintptr_t)qs_current_tid();
	// The thread itself may ask already, with an event of the processor track.
	bool has_supplier = qs_recorder_thread_start(&qs_session.supplier, supply_loop, starter);
	__atomic_store_n(&qs_session.has_supplier, has_supplier, __ATOMIC_RELAXED);
	if (qs_session.has_supplier) {
		wait_for_supplier();
	} else {
		qs_processor_track_start(0);
	}
}

void qs_supply_stop(void)
{
	if (!qs_session.has_supplier) {
		qs_processor_track_stop();
		return;
	}
	__atomic_store_n(&qs_session.stopping, true, __ATOMIC_RELEASE);
	wake_supplier();
	pthread_join(qs_session.supplier, NULL);
	qs_session.has_supplier = false;
}
