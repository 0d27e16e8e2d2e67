// Recorder: runs inside the traced program and writes event records into memory-mapped CTF streams.
//
// Every function may be called on any thread, unless stated otherwise. No function calls libdispatch, changes errno, or
// ends the program. An event that cannot be recorded is discarded and counted.
#ifndef QS_TRACE_RECORDER_H
#define QS_TRACE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_code.h"
#include "event_writers.generated.h"
#include "gate.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Is a session recording?

// Whether a session records. Costs one load from a cache line that is written only at the start and stop of a session.
static inline bool qs_is_recording(void)
{
	return __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED) != 0;
}

// Number of the recording session, 0 when no session records. For callers that cache data for the length of a session.
static inline uint32_t qs_session_number(void)
{
	return __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED);
}

// Definitions generation: changes whenever all definitions must be written again. 0: not recording. With LTTng every
// statedump starts a new one, and a flight recorder starts one from time to time, because earlier definitions may be
// missing from the part of the trace that is read. Other sessions have one generation.
uint32_t qs_definitions_number(void);

// Whether a session records, and no hooks record the calls that the Queuescope library makes into libdispatch.
static inline bool qs_records_wrapper(void)
{
	return __atomic_load_n(&qs_gate.wrapper_epoch, __ATOMIC_RELAXED) != 0;
}

// Whether hooks record these calls: the linked hooks (in every session), or the hooks of another recorder (in the
// current session). If so, closures must be passed to libdispatch unwrapped, so that their own code is recorded.
bool qs_hooks_record(void);

// Slow path of qs_skips_item: decides for the next item of this thread.
bool qs_item_is_skipped(void);

// Whether the hooks leave out the item that this thread submits next, or the uncontended sync that it begins, because
// the session samples items (Events/item_sampling.h). Call once per item. Costs one comparison in other sessions.
static inline bool qs_skips_item(void)
{
	return __builtin_expect(qs_gate.item_stride != 0, 0) && qs_item_is_skipped();
}

enum { QS_FIRST_TASK = 1 }; // the runtime's first number: the main task, if the program has one

// Slow path of qs_skips_task.
bool qs_task_is_skipped(uint64_t task);

// Whether the hooks leave out the task with this number: the same answer for all of its events while the rate does not
// change. Costs one comparison in sessions that do not sample.
static inline bool qs_skips_task(uint64_t task)
{
	return __builtin_expect(qs_gate.item_stride != 0, 0) && qs_task_is_skipped(task);
}

// MARK: Sessions

enum qs_session_error {
	QS_SESSION_OK = 0,
	QS_SESSION_ACTIVE = 1,           // a session is already recording, or the last one could not be completed
	QS_SESSION_EXISTS = 2,           // the directory exists and is not empty
	QS_SESSION_CANNOT_CREATE = 3,    // the directory or a file in it cannot be created; see errno
	QS_SESSION_NO_MEMORY = 4,        // not enough memory even for the first events; see errno
	QS_SESSION_PATH_TOO_LONG = 5,
	QS_SESSION_NO_THREAD = 6,        // the recorder thread could not be created; see errno
	QS_SESSION_BAD_PATTERN = 7,      // a percent sign in the directory is not followed by a letter of trace_pattern.h
};

struct qs_session_options {
	// Size of the trace in bytes, beyond which new events are discarded. 0: no limit.
	uint64_t limit;
	// Flight recorder: at the limit, the oldest events are overwritten instead. A limit of 0 means 256 MiB, or, with a
	// size of the memory, that the events are overwritten in memory and written for a reader only: see memory_ring.h.
	bool is_flight;
	// Bytes of memory for events that are not in the trace's files. 0: 64 MiB, but at most a sixteenth of the
	// cgroup's memory limit.
	uint64_t memory;
	// Flight recorder without a limit: the length of the past that a snapshot and the trace keep. The events are then
	// overwritten in memory, also without a size of the memory. 0: as much as the memory has. See window.h.
	uint64_t window_ns;
	// Older traces of the same pattern are removed at the start of the session: all but the newest ones of this number,
	// which includes the new trace, or of these bytes. 0: none is removed. See retention.h.
	uint32_t kept_traces;
	uint64_t kept_bytes;
	// Without the processor track.
	bool without_processors;
	// Most processor time that the recorder may use, in millionths of the time of the process. The recorder then
	// samples items (Observers/recording_budget.h). 0: no budget. Applies to sessions with hooks that record into
	// files.
	uint32_t budget_ppm;
	// The recorder records one of this number of items, a power of two; with a budget, at first. 0: all items.
	uint32_t item_stride;
};

// Starts a session that records into a directory (mode 0700), which must be new or empty. The path may have the letters
// of trace_pattern.h, such as %t. Returns an enum qs_session_error; *system_error receives errno or 0. Blocks: yes
// (files). Context: not in a signal handler.
int qs_session_start(const char *directory, const struct qs_session_options *options, int *system_error);

// Stops the session and completes the files. Does nothing when no session records. Returns the number of discarded
// event records. Blocks: yes.
uint64_t qs_session_stop(void);

// Result of a stopped session.
struct qs_stopped_session {
	char directory[4096];
	// Number of discarded event records.
	uint64_t discarded;
};

// Stops the session of a program that continues to run, records this stop in the trace, and describes the session.
// Returns false when no session records, and when the session belongs to another recorder of this process; that session
// continues. Blocks: yes.
bool qs_session_stop_and_tell(struct qs_stopped_session *stopped);

// Makes all recorded events durable against a crash of the machine (fsync). They are already durable against the death
// of the process. Blocks: up to 60 s.
void qs_session_flush(void);

enum qs_snapshot_error {
	QS_SNAPSHOT_OK = 0,
	QS_SNAPSHOT_NOT_RECORDING = 1,
	QS_SNAPSHOT_LTTNG = 2,           // the events go into LTTng's sessions
	QS_SNAPSHOT_TIMEOUT = 3,         // the events could not be written within 5 s
	QS_SNAPSHOT_EXISTS = 4,          // the directory exists and is not empty
	QS_SNAPSHOT_CANNOT_CREATE = 5,   // the directory or a file in it cannot be written; see errno
	QS_SNAPSHOT_CANNOT_READ = 6,     // a file of the recorded trace cannot be read; see errno
	QS_SNAPSHOT_PATH_TOO_LONG = 7,
	QS_SNAPSHOT_BAD_PATTERN = 8,     // a percent sign in the directory is not followed by a letter of trace_pattern.h
};

struct qs_snapshot_result {
	char directory[4096]; // of the copy
	int system_error;     // errno, or 0
};

// Copies the trace that the session has recorded so far into a directory (mode 0700), which must be new or empty. The
// recording continues, and a flight recorder overwrites nothing during the copy. The path may have the letters of
// trace_pattern.h; NULL: the directory of the trace with `-snapshot-%t`. `reason`: one line that the report of the copy
// begins with, NULL for none. Returns an enum qs_snapshot_error. Takes three descriptors of the program while it
// copies. Blocks: for the disk. Context: not in a signal handler.
int qs_session_snapshot(const char *pattern, const char *reason, struct qs_snapshot_result *result);

// State of the recording session.
struct qs_session_state {
	char directory[4096];    // "" when it records into LTTng's sessions
	bool is_lttng;
	bool is_flight;
	int64_t started_unix_ns; // 0: unknown, because another recorder of this process started it
	uint64_t discarded;      // event records
};

// Describes the session. Returns false when no session records. Blocks: up to 10 s, while a session starts or stops.
bool qs_session_describe(struct qs_session_state *state);

// Copies the recorded events into the trace's files, before exec replaces the program. Recording continues if the exec
// fails. Does nothing when no session records. Context: also a signal handler. Allocates: no. Blocks: up to 0.2 s.
void qs_session_before_exec(void);

// Whether the session overwrites its oldest events. Facts that must be kept are then recorded as definitions.
bool qs_session_is_flight_recorder(void);

// Number of event records that the current, or last, session has discarded so far.
uint64_t qs_session_discarded(void);

// Directory of the recording session, "" when no session records. Valid until the next qs_session_start.
const char *qs_session_directory(void);

// Opens the control socket, by which commands of the same user and of root start and stop sessions of this process. A
// thread of the recorder serves it. A forked child has no socket until it calls this. Returns 0, also when the socket
// is open, or errno: EEXIST when another recorder of this process has a socket, ENOSYS when the system does not give
// the thread its own descriptors. Blocks: up to 0.5 s. Context: not in a signal handler.
int qs_control_open(void);

// Closes the control socket and ends its thread. A session continues. Blocks: up to 1 s.
void qs_control_close(void);

// Registers a function that writes the definitions of all existing objects, such as `queue_state`. It is called at
// every session start, after recording is on. At most two: one of the hooks and one of the Queuescope library, each
// registered once.
void qs_add_statedump(void (*statedump)(void));

// MARK: Ids

// A new item id, unique in the process while fewer than 2^32 items per thread are in flight.
uint64_t qs_new_item(void);

// A new id for a source, group, semaphore, lock, signpost or concurrentPerform, unique in the process.
uint64_t qs_new_object(void);

// A queue number for queues whose serial number cannot be read: counts down from 2^48 - 1.
uint64_t qs_new_queue_id(void);

// Kernel id of this thread.
uint32_t qs_current_tid(void);

// MARK: Code and stacks

// Number of a call site, for the `code` fields. The first call for a site writes its `code_symbol`. The key is the
// address of `file`, which must stay valid for the life of the process (a string literal). Returns 0 when no session
// records or the table is full.
uint32_t qs_code_site(const char *file, size_t file_length, uint32_t line);

// The same for a named site: a signpost's name with its call site. `symbol` must stay valid for the life of the
// process.
uint32_t qs_code_named(const char *symbol, size_t symbol_length, const char *file, size_t file_length, uint32_t line);

// The same for a code address. `thunk` is 0, or a function that gets the address as captured data. Then the address is
// valid only if `thunk` is a Swift reabstraction thunk, which the reader of the trace determines from the symbols.
uint32_t qs_code_address(uint64_t address, uint64_t thunk);

// The same for a call with its call path: return addresses, innermost first, starting with the call's own. Each path
// has its own number, and a `code_stack` that defines it. When the table has very many paths, further ones are
// represented by the call's own address alone.
uint32_t qs_code_call(const uint64_t *frames, uint16_t count);

// Writes a `code_stack`: the call stack of calls with this number. Later LTTng sessions get it too.
void qs_code_note_stack(uint32_t code, uint32_t stack);

// Whether the trace of the session has the definition of a number from qs_code_address. False when it was discarded.
bool qs_code_is_defined(uint32_t code);

// Whether the stack of this frame may be unwound: the unwinder is loaded, and this is the thread's own stack. On a
// stack that the program created, such as a coroutine's, the last return address can be arbitrary, and libgcc reads the
// code at that address.
bool qs_can_unwind(const void *frame);

// Takes the call stack of the caller, without the `skip` innermost frames, and returns the number of its `stack`
// definition. Takes microseconds, so only for rare events. Returns 0 when no session records, and on a stack that
// cannot be unwound.
uint32_t qs_capture_stack(uint32_t skip);

// Number of the `stack` definition of these return addresses, innermost first. Returns 0 when no session records.
uint32_t qs_define_stack(const uint64_t *frames, uint16_t count);

// MARK: Queues of libdispatch

// Sets the address of dispatch_queue_offsets, for a libdispatch that is loaded late: the linker could not resolve it.
void qs_set_queue_offsets(const void *offsets);

// Address of the main queue, NULL when libdispatch is not loaded.
const void *qs_main_queue(void);

// Serial number of a dispatch_queue_t; 0 when the layout of this libdispatch is not known.
uint64_t qs_queue_serial(const void *queue);

// Width of a dispatch_queue_t: 1 is serial; 0: not known.
uint16_t qs_queue_width(const void *queue);

// Target of a dispatch_queue_t; NULL for a root queue or when not known.
const void *qs_queue_target(const void *queue);

// Label of a dispatch_queue_t; "" when it has none or the layout is not known.
const char *qs_queue_label(const void *queue);

// MARK: Holder of a queue hierarchy

// Holder of a queue. It shows a sync whether it has to wait, and which thread handed the queue off to it.
// Zero-initialize, then set the first three members. The state of a serial queue is written only by the thread that
// holds the queue; other threads read it.
struct qs_queue_holder {
	struct qs_queue_holder *target; // of the target queue, NULL at the root; change it with qs_queue_holder_set_target
	uint64_t queue;              // serial number
	uint16_t width;
	uint16_t unused;
	uint32_t holder;             // tid of the thread that runs an item of this queue or of a queue that targets it;
	                             // 0: none
	uint32_t last_holder;        // tid of the thread whose item ended last, 0: none
	uint64_t grants;             // number of items that have begun
};

// Links a queue to the holder of its target queue. `target` must stay allocated as long as `holder`: a sync that enters
// on another thread may still walk through a former target. Call while nothing runs on the queue.
void qs_queue_holder_set_target(struct qs_queue_holder *holder, struct qs_queue_holder *target);

// State of a sync between its entry and its begin.
struct qs_sync_entry {
	uint64_t grants;             // sum over the serial levels at entry
	bool blocked;                // a sync_block was recorded
};

// Records `sync_enter` and, when a serial level of the hierarchy is held by another thread, `sync_block`.
void qs_sync_enter(struct qs_queue_holder *lowest, uint64_t item, uint32_t code, uint8_t kind, uint8_t qos,
	struct qs_sync_entry *entry);

// Records `sync_handoff` if the sync had to wait, then `item_begin`, and takes the levels. Call inside the queue, on
// the thread that runs the item.
void qs_sync_begin(struct qs_queue_holder *lowest, uint64_t item, const struct qs_sync_entry *entry);

// Records `item_begin` and takes the levels, for items that are not syncs. Call inside the queue.
void qs_item_begin(struct qs_queue_holder *lowest, uint64_t item);

// Records `item_end` and releases the levels, for both.
void qs_item_end(struct qs_queue_holder *lowest, uint64_t item);

#ifdef __cplusplus
}
#endif

#endif
