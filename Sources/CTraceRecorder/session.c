#define _GNU_SOURCE
#include "session.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event_writing.h"
#include "processor_track.h"
#include "shared_session.h"

uint32_t qs_session_epoch;
uint32_t qs_wrapper_epoch;

static bool is_interposed;

struct qs_session qs_session = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.definitions_lock = PTHREAD_MUTEX_INITIALIZER,
};

static void (*statedump)(void);

static bool directory_is_empty(const char *path)
{
	DIR *directory = opendir(path);
	if (directory == NULL) return false;
	bool empty = true;
	for (struct dirent *entry = readdir(directory); entry != NULL && empty; entry = readdir(directory)) {
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	}
	closedir(directory);
	return empty;
}

// Makes the directory, or accepts an empty one that belongs to this user, never through a symbolic link.
static int prepare_directory(const char *path)
{
	if (mkdir(path, 0700) == 0) return QS_SESSION_OK;
	if (errno != EEXIST) return QS_SESSION_CANNOT_CREATE;
	struct stat status;
	if (lstat(path, &status) != 0) return QS_SESSION_CANNOT_CREATE;
	if (!S_ISDIR(status.st_mode)) return QS_SESSION_EXISTS;
	if (status.st_uid != geteuid()) {
		errno = EPERM;
		return QS_SESSION_CANNOT_CREATE;
	}
	if (!directory_is_empty(path)) return QS_SESSION_EXISTS;
	// Nobody else may put files into it.
	return chmod(path, 0700) == 0 ? QS_SESSION_OK : QS_SESSION_CANNOT_CREATE;
}

// Absolute, because the program may change its working directory.
static bool set_directory(const char *directory)
{
	if (directory[0] == '/') {
		return snprintf(qs_session.directory, PATH_MAX, "%s", directory) < PATH_MAX - 32;
	}
	char here[PATH_MAX];
	if (getcwd(here, sizeof here) == NULL) return false;
	return snprintf(qs_session.directory, PATH_MAX, "%s/%s", here, directory) < PATH_MAX - 32;
}

static void make_uuid(uint8_t *uuid)
{
	if (getrandom(uuid, 16, GRND_NONBLOCK) != 16) {
		struct qs_clock_sample sample = qs_clock_sample();
		memcpy(uuid, &sample.ticks, 8);
		memcpy(uuid + 8, &sample.realtime_ns, 8);
	}
	uuid[6] = (uint8_t)((uuid[6] & 0x0F) | 0x40);
	uuid[8] = (uint8_t)((uuid[8] & 0x3F) | 0x80);
}

// Takes over what another recorder of this process has set up.
static int join(const struct qs_shared_session *shared)
{
	if (!set_directory(shared->directory)) return QS_SESSION_PATH_TOO_LONG;
	memcpy(qs_session.uuid, shared->uuid, sizeof qs_session.uuid);
	qs_clock_kind = (enum qs_clock_kind)*shared->clock_kind;
	return QS_SESSION_OK;
}

// Sets up a directory of its own.
static int found(const char *directory)
{
	if (!set_directory(directory)) return QS_SESSION_PATH_TOO_LONG;
	qs_clock_select();
	qs_session.started = qs_clock_sample();
	int result = prepare_directory(qs_session.directory);
	if (result != QS_SESSION_OK) return result;
	make_uuid(qs_session.uuid);
	// From some tens of microseconds: a rate to 0.1 %, for a program that is killed before the supply thread writes a better one.
	if (!qs_metadata_write(qs_clock_calibrate(qs_session.started, qs_clock_sample()))) return QS_SESSION_CANNOT_CREATE;
	return QS_SESSION_OK;
}

// What has to be there before the first event of the program. Without a directory the session is for LTTng.
static int begin(const char *directory, const struct qs_session_options *options, const struct qs_shared_session *shared)
{
	// Threads keep their streams from one session for LTTng to the next.
	bool keeps_streams = qs_session.lttng != NULL && directory == NULL;
	const struct qs_lttng_port *own = directory == NULL ? &qs_lttng_own_port : NULL;
	__atomic_store_n(&qs_session.lttng, shared != NULL ? shared->lttng : own, __ATOMIC_RELAXED);
	qs_session.is_joined = shared != NULL;
	qs_session.pid = (uint32_t)getpid();
	int result = QS_SESSION_OK;
	if (qs_session.lttng != NULL) qs_session.directory[0] = 0;
	else result = shared != NULL ? join(shared) : found(directory);
	if (result != QS_SESSION_OK) return result;
	qs_images_find_executable();
	qs_session.limit = options != NULL ? options->limit : 0;
	qs_session.bytes = 0;
	qs_session.lost = 0;
	qs_session.retry_time = 0;
	qs_session.epoch += 1;
	qs_session.definitions_number += 1;
	if (!keeps_streams) qs_session.streams = NULL; // those of an earlier session stay with their threads, which see another epoch
	qs_session.stream_count = shared != NULL ? QS_SHARED_FIRST_STREAM : 0;
	unsigned char *stage = qs_session.definitions.stage;
	memset(&qs_session.definitions, 0, sizeof qs_session.definitions);
	qs_session.definitions.stage = stage;
	qs_session.definitions.epoch = qs_session.epoch;
	qs_session.definitions.number = qs_session.stream_count;
	qs_stream_set_path(&qs_session.definitions);
	if (!qs_stream_open(&qs_session.definitions, 0, qs_clock_now())) return QS_SESSION_NO_SPACE;
	return QS_SESSION_OK;
}

void qs_session_define(void)
{
	if (!qs_session.is_joined) {
		qs_processor_track_record();
		qs_images_record();
	}
	if (statedump != NULL) statedump();
}

static int start(const char *directory, const struct qs_session_options *options, const struct qs_shared_session *shared, int *system_error)
{
	int saved_errno = errno;
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	errno = 0;
	// The first backtrace loads the unwinder and allocates: here rather than at the first misuse.
	void *frame;
	backtrace(&frame, 1);
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	errno = 0;
	qs_thread_inside = true; // an event of a signal handler on this thread must not come for the lock
	pthread_mutex_lock(&qs_session.lock);
	int result = qs_is_recording() ? QS_SESSION_ACTIVE : begin(directory, options, shared);
	if (system_error != NULL) *system_error = errno;
	if (result == QS_SESSION_OK) {
		if (qs_session.lttng == NULL) qs_supply_start();
		else qs_processor_track_start_for_lttng();
		__atomic_store_n(&qs_session_epoch, qs_session.epoch, __ATOMIC_RELEASE);
		if (!is_interposed && shared == NULL) __atomic_store_n(&qs_wrapper_epoch, qs_session.epoch, __ATOMIC_RELEASE);
	} else if (result != QS_SESSION_ACTIVE) {
		qs_session.directory[0] = 0;
	}
	pthread_mutex_unlock(&qs_session.lock);
	qs_thread_inside = false;
	if (result == QS_SESSION_OK) {
		if (qs_session.lttng != NULL) qs_lttng_statedump();
		else qs_session_define();
	}
	pthread_setcancelstate(cancellation, NULL);
	errno = saved_errno;
	return result;
}

int qs_session_start(const char *directory, const struct qs_session_options *options, int *system_error)
{
	// One session at a time, and the preloaded recorder has one.
	if (qs_shared_session_find() != NULL) {
		if (system_error != NULL) *system_error = 0;
		return QS_SESSION_ACTIVE;
	}
	return start(directory, options, NULL, system_error);
}

bool qs_session_start_for_lttng(void)
{
	return start(NULL, NULL, NULL, NULL) == QS_SESSION_OK;
}

bool qs_session_join(void)
{
	const struct qs_shared_session *shared = qs_shared_session_find();
	if (shared == NULL || start(NULL, NULL, shared, NULL) != QS_SESSION_OK) return false;
	if (shared->lttng != NULL) shared->lttng->follow(qs_lttng_statedump);
	return true;
}

// Waits until the stream's owner is out of its packet. False when it is not within a second: then the stream is left as it is.
static bool wait_for_writer(struct qs_stream *stream)
{
	const struct timespec pause = {.tv_nsec = 100 * 1000};
	// exit() in a signal handler that interrupted this very thread while it wrote: it will not go on, and the packet counts what is whole.
	if (stream == qs_thread_stream) return true;
	for (int attempt = 0; attempt < 10000; attempt++) {
		if (!__atomic_load_n(&stream->writing, __ATOMIC_ACQUIRE)) return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

// Cuts off what was prepared and not used.
static void finish_stream(struct qs_stream *stream, bool is_process_end)
{
	if (is_process_end && qs_stream_leave_tail(stream)) return;
	qs_word_unmap(__atomic_exchange_n(&stream->prepared, 0, __ATOMIC_ACQUIRE));
	qs_word_unmap(__atomic_exchange_n(&stream->retired, 0, __ATOMIC_ACQUIRE));
	qs_stream_close_packet(stream);
	int file = open(stream->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) return;
	int result = ftruncate(file, (off_t)stream->next_offset);
	(void)result; // the reader copes with the tail
	close(file);
}

// Events of threads that had no stream, so that the trace tells of all that were discarded. The definitions lock is held.
static void count_lost_events(void)
{
	struct qs_stream *definitions = &qs_session.definitions;
	uint64_t lost = __atomic_exchange_n(&qs_session.lost, 0, __ATOMIC_RELAXED);
	uint64_t discarded = __atomic_add_fetch(&definitions->discarded, lost, __ATOMIC_RELAXED);
	if (definitions->packet != NULL) definitions->packet->events_discarded = discarded;
}

static void finish_files(bool is_process_end)
{
	pthread_mutex_lock(&qs_session.definitions_lock);
	count_lost_events();
	finish_stream(&qs_session.definitions, is_process_end);
	pthread_mutex_unlock(&qs_session.definitions_lock);
	qs_metadata_rewrite(qs_clock_calibrate(qs_session.started, qs_clock_sample()));
}

static uint64_t stop(bool is_process_end)
{
	// exit() called by a signal handler that interrupted the recorder: this thread holds the lock. What was written is durable anyway.
	if (qs_thread_inside) return 0;
	int saved_errno = errno;
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	if (__atomic_load_n(&qs_session.wants_images, __ATOMIC_ACQUIRE)) qs_images_record();
	qs_thread_inside = true;
	pthread_mutex_lock(&qs_session.lock);
	if (!qs_is_recording()) {
		pthread_mutex_unlock(&qs_session.lock);
		qs_thread_inside = false;
		pthread_setcancelstate(cancellation, NULL);
		return 0;
	}
	__atomic_store_n(&qs_wrapper_epoch, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_session_epoch, 0, __ATOMIC_SEQ_CST);
	// From here on a thread that was about to write either has set `writing`, and is seen below, or sees the epoch.
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
		const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
		nanosleep(&pause, NULL);
	}
	bool has_files = qs_session.lttng == NULL;
	if (has_files) qs_supply_stop();
	for (struct qs_stream *stream = qs_session.streams; stream != NULL; stream = stream->next) {
		if (wait_for_writer(stream) && has_files) finish_stream(stream, is_process_end);
		// A stream without a file cannot tell.
		if (stream->sequence == 0) qs_session.lost += __atomic_exchange_n(&stream->discarded, 0, __ATOMIC_RELAXED);
	}
	if (has_files) finish_files(is_process_end);
	pthread_mutex_unlock(&qs_session.lock);
	qs_thread_inside = false;
	pthread_setcancelstate(cancellation, NULL);
	errno = saved_errno;
	return qs_session_discarded();
}

uint64_t qs_session_stop(void)
{
	return stop(false);
}

void qs_session_end(void)
{
	stop(true);
}

uint32_t qs_definitions_number(void)
{
	return qs_is_recording() ? __atomic_load_n(&qs_session.definitions_number, __ATOMIC_RELAXED) : 0;
}

uint64_t qs_session_lost_definitions(void)
{
	return __atomic_load_n(&qs_session.lost, __ATOMIC_RELAXED)
		+ __atomic_load_n(&qs_session.definitions.discarded, __ATOMIC_RELAXED);
}

uint64_t qs_session_discarded(void)
{
	uint64_t total = __atomic_load_n(&qs_session.lost, __ATOMIC_RELAXED)
		+ __atomic_load_n(&qs_session.definitions.discarded, __ATOMIC_RELAXED);
	struct qs_stream *stream = __atomic_load_n(&qs_session.streams, __ATOMIC_ACQUIRE);
	for (; stream != NULL; stream = stream->next) total += __atomic_load_n(&stream->discarded, __ATOMIC_RELAXED);
	return total;
}

void qs_session_flush(void)
{
	if (qs_session_directory()[0] == 0) return;
	int saved_errno = errno;
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	int directory = open(qs_session.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory >= 0) {
		syncfs(directory);
		close(directory);
	}
	pthread_setcancelstate(cancellation, NULL);
	errno = saved_errno;
}

const char *qs_session_directory(void)
{
	return qs_is_recording() ? qs_session.directory : "";
}

void qs_set_interposed(void)
{
	is_interposed = true;
}

void qs_set_statedump(void (*function)(void))
{
	statedump = function;
}
