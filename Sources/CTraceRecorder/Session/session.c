#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "../Definitions/definitions_number.h"
#include "../Definitions/images.h"
#include "../Definitions/stack_capture.h"
#include "../Drain/copier.h"
#include "../Drain/generations.h"
#include "../Drain/metadata.h"
#include "../Drain/retention.h"
#include "../Drain/trace_directory.h"
#include "../Drain/trace_pattern.h"
#include "../Drain/trace_size.h"
#include "../Drain/window.h"
#include "../Events/arena.h"
#include "../Events/arena_name.h"
#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Events/item_sampling.h"
#include "../Events/lost_events.h"
#include "../Events/recorder.h"
#include "../Events/stream.h"
#include "../Gate/thread_guard.h"
#include "../LTTng/lttng.h"
#include "../Observers/processor_track.h"
#include "../System/system_calls.h"
#include "fork_handlers.h"
#include "service.h"
#include "session_control.h"
#include "session_definitions.h"
#include "session_hooks.h"
#include "shared_session.h"

enum {
	FLUSH_MS = 60 * 1000,
	// Longest time that exec waits for a flush. The rest is recovered from the arena by the next reader.
	EXEC_FLUSH_MS = 200,
	// Largest size of the files of a flight recorder in memory, in sizes of the memory: for snapshots that follow each
	// other before the memory is full.
	RING_FILES = 4,
};

// Makes the path absolute, because the program may change its working directory.
static bool set_directory(const char *directory)
{
	if (directory[0] == '/') {
		return snprintf(qs_identity.directory, PATH_MAX, "%s", directory) < PATH_MAX - 32;
	}
	static char here[PATH_MAX]; // static, because the stack may be small
	if (getcwd(here, sizeof here) == NULL) return false;
	return snprintf(qs_identity.directory, PATH_MAX, "%s/%s", here, directory) < PATH_MAX - 32;
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

// Uses the directory, uuid and clock of the other recorder of this process.
static int join(const struct qs_shared_session *shared)
{
	if (!set_directory(shared->directory)) return QS_SESSION_PATH_TOO_LONG;
	memcpy(qs_identity.uuid, shared->uuid, sizeof qs_identity.uuid);
	qs_gate.clock_kind = (enum qs_clock_kind)*shared->clock_kind;
	return QS_SESSION_OK;
}

// Creates the trace directory with its metadata.
static int create_trace(const char *directory)
{
	if (!set_directory(directory)) return QS_SESSION_PATH_TOO_LONG;
	qs_clock_select();
	qs_identity.started = qs_clock_sample();
	int result = qs_trace_directory_make(qs_identity.directory);
	if (result != QS_SESSION_OK) return result;
	make_uuid(qs_identity.uuid);
	// Calibration over some tens of microseconds: an error of 0.1 %, until the recorder thread writes a better one. It
	// is used if the program is killed before that.
	if (!qs_metadata_write(qs_clock_calibrate(qs_identity.started, qs_clock_sample()))) return QS_SESSION_CANNOT_CREATE;
	return QS_SESSION_OK;
}

static void begin_retention(const char *pattern, const struct qs_session_options *options)
{
	struct qs_retention kept = {0};
	if (options != NULL) kept = (struct qs_retention){.traces = options->kept_traces, .bytes = options->kept_bytes};
	qs_retention_begin(pattern, &kept);
}

// Creates the memory for events, and the thread that copies it into files.
static int open_arena(const struct qs_session_options *options)
{
	const char *directory = qs_identity.directory;
	bool is_open = qs_arena_open(options->memory, qs_identity.uuid, directory, qs_identity.first_stream);
	if (!is_open) return QS_SESSION_NO_MEMORY;
	// With a size of the memory or a window, and without a limit, a flight recorder keeps the events in memory.
	bool is_ring = options->is_flight && (options->memory != 0 || options->window_ns != 0) && options->limit == 0;
	bool in_memory = is_ring && qs_arena_outlives_process();
	qs_copier_start(in_memory);
	qs_window_start(options->window_ns);
	uint64_t limit = qs_trace_size_start(in_memory ? RING_FILES * qs_arena.bytes : options->limit, options->is_flight);
	uint64_t flight_limit = in_memory ? qs_arena.bytes : options->is_flight ? limit : 0;
	qs_generations_start(flight_limit);
	qs_shared_session_offer_limit(flight_limit);
	enum qs_stream_kind kind = qs_identity.is_joined ? QS_STREAM_DEFINITIONS_OF_LIBRARY : QS_STREAM_DEFINITIONS;
	bool is_ready = qs_stream_open(&qs_definitions_stream, kind, 0, qs_clock_now());
	if (is_ready && qs_service_start(qs_session_stop)) return QS_SESSION_OK;
	int error = errno;
	qs_arena_remove();
	qs_arena_name_write(qs_identity.directory, -1, qs_identity.is_joined);
	qs_arena_close(false);
	errno = error;
	return is_ready ? QS_SESSION_NO_THREAD : QS_SESSION_NO_MEMORY;
}

// The directory of a session, and the pattern that the directories of earlier sessions match.
struct destination {
	const char *directory;
	const char *pattern;
};

// Prepares everything for the first event of the program. Without a destination the session is for LTTng.
static int prepare(
	const struct destination *destination, const struct qs_session_options *options,
	const struct qs_shared_session *shared)
{
	const struct qs_lttng_port *own = destination == NULL ? &qs_lttng_own_port : NULL;
	__atomic_store_n(&qs_identity.lttng, shared != NULL ? shared->lttng : own, __ATOMIC_RELAXED);
	qs_identity.is_joined = shared != NULL;
	qs_identity.second_recorder = shared != NULL ? shared->second_recorder : NULL;
	struct qs_session_options wanted = options != NULL ? *options : (struct qs_session_options){0};
	if (shared != NULL && shared->flight_mebibytes != 0) {
		wanted.is_flight = true;
		wanted.limit = ((uint64_t)shared->flight_mebibytes << 20) / QS_SHARED_LIMIT_PARTS;
	}
	qs_identity.is_flight = wanted.is_flight;
	qs_identity.without_processors = wanted.without_processors;
	qs_identity.window_ns = wanted.is_flight && wanted.limit == 0 ? wanted.window_ns : 0;
	// Only hooks sample. The traced types of the Queuescope library need every item to recognise a wait.
	bool samples = qs_is_interposed() && shared == NULL && qs_identity.lttng == NULL;
	qs_identity.budget_ppm = samples ? wanted.budget_ppm : 0;
	qs_item_sampling_set(samples ? wanted.item_stride : 0);
	qs_identity.pid = (uint32_t)getpid();
	if (shared == NULL) qs_identity.processors = qs_processors_read("");
	if (!qs_process_prepare()) return QS_SESSION_NO_MEMORY;
	int result = QS_SESSION_OK;
	if (qs_identity.lttng != NULL) qs_identity.directory[0] = 0;
	else result = shared != NULL ? join(shared) : create_trace(destination->directory);
	if (result != QS_SESSION_OK) return result;
	if (destination != NULL) begin_retention(destination->pattern, options);
	qs_images_find_executable();
	qs_lost_events_reset();
	qs_identity.epoch += 1;
	qs_definitions_begin();
	qs_identity.first_stream = shared != NULL ? QS_SHARED_FIRST_STREAM : 0;
	unsigned char *stage = qs_definitions_stream.stage;
	qs_definitions_stream = (struct qs_stream){.stage = stage, .epoch = qs_identity.epoch};
	if (qs_identity.lttng != NULL) {
		bool has_stage = qs_stream_open(&qs_definitions_stream, QS_STREAM_DEFINITIONS, 0, qs_clock_now());
		return has_stage ? QS_SESSION_OK : QS_SESSION_NO_MEMORY;
	}
	qs_streams_reset();
	return open_arena(&wanted);
}

static int start_session(const struct destination *destination, const struct qs_session_options *options,
	const struct qs_shared_session *shared, int *system_error)
{
	int saved_errno = errno;
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	errno = 0;
	// A late start loads the unwinder afterwards, when it may wait for the loader lock.
	if (!qs_recorder_is_late_starter(qs_current_tid())) qs_unwinder_load();
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	errno = 0;
	qs_thread_inside = true; // an event of a signal handler on this thread must not wait for the lock
	// A thread that holds the lock for longer is starting or stopping a session.
	bool has_lock = qs_lock_take_patiently(&qs_session_control.lock);
	bool is_free = has_lock && !qs_is_recording() && !qs_session_control.has_unfinished_session;
	// A thread that was stopped in the middle of a definition of an earlier session still writes into the stream.
	bool has_definitions = is_free && qs_lock_take(&qs_definitions_lock);
	int result = has_definitions ? prepare(destination, options, shared) : QS_SESSION_ACTIVE;
	if (system_error != NULL) *system_error = errno;
	if (result == QS_SESSION_OK) {
		if (qs_identity.lttng != NULL) qs_processor_track_start_for_lttng();
		qs_session_hooks_begin();
		__atomic_store_n(&qs_gate.epoch, qs_identity.epoch, __ATOMIC_RELEASE);
		if (!qs_is_interposed() && shared == NULL) {
			__atomic_store_n(&qs_gate.wrapper_epoch, qs_identity.epoch, __ATOMIC_RELEASE);
		}
	} else if (result != QS_SESSION_ACTIVE) {
		qs_identity.directory[0] = 0;
	}
	if (has_definitions) qs_lock_give_back(&qs_definitions_lock);
	if (has_lock) qs_lock_give_back(&qs_session_control.lock);
	qs_thread_inside = false;
	if (result == QS_SESSION_OK) {
		// The caller of a late start holds the loader's lock, and installs the hooks itself.
		if (!qs_recorder_is_late_starter(qs_current_tid())) qs_session_hooks_install();
		if (qs_identity.lttng != NULL) qs_lttng_statedump();
		else qs_session_define();
	}
	pthread_setcancelstate(cancellation, NULL);
	errno = saved_errno;
	return result;
}

int qs_session_start(const char *pattern, const struct qs_session_options *options, int *system_error)
{
	char directory[PATH_MAX];
	if (system_error != NULL) *system_error = 0;
	int result = qs_trace_pattern_expand(pattern, directory, sizeof directory);
	return result != QS_SESSION_OK ? result : qs_session_start_in(directory, pattern, options, system_error);
}

int qs_session_start_in(
	const char *directory, const char *pattern, const struct qs_session_options *options, int *system_error)
{
	// One session at a time; the preloaded recorder already has one.
	if (qs_shared_session_find() != NULL) {
		if (system_error != NULL) *system_error = 0;
		return QS_SESSION_ACTIVE;
	}
	return start_session(&(struct destination){directory, pattern}, options, NULL, system_error);
}

bool qs_session_start_for_lttng(void)
{
	return start_session(NULL, NULL, NULL, NULL) == QS_SESSION_OK;
}

bool qs_session_join(void)
{
	const struct qs_shared_session *shared = qs_shared_session_find();
	// A scaled clock follows a line that only the first recorder has.
	if (shared != NULL && *shared->clock_kind == QS_CLOCK_SCALED) return false;
	if (shared == NULL || start_session(NULL, NULL, shared, NULL) != QS_SESSION_OK) return false;
	if (shared->lttng != NULL) shared->lttng->follow(qs_lttng_statedump);
	return true;
}

void qs_session_flush(void)
{
	if (qs_recorder_leave_to_parent() || qs_session_directory()[0] == 0) return;
	int saved_errno = errno;
	int cancellation;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
	qs_service_flush(true, FLUSH_MS);
	pthread_setcancelstate(cancellation, NULL);
	errno = saved_errno;
}

void qs_session_before_exec(void)
{
	if (!qs_is_recording() || qs_thread_inside) return;
	int saved_errno = errno;
	qs_service_flush(false, EXEC_FLUSH_MS);
	errno = saved_errno;
}

bool qs_hooks_record(void)
{
	return qs_is_interposed() || (qs_is_recording() && !qs_records_wrapper());
}
