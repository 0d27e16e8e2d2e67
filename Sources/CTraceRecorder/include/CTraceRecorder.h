// The recorder: runs inside the traced program and writes event records into memory-mapped CTF streams.
//
// Everything here may be called on any thread. Nothing here calls into libdispatch, changes errno, or ends the program. When
// something cannot be recorded it is dropped and counted.
#ifndef QS_TRACE_RECORDER_H
#define QS_TRACE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_code.h"
#include "event_writers.generated.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Is a session recording?

// The number of the session that records now, 0 when none does. Written by qs_session_start and qs_session_stop only.
extern uint32_t qs_session_epoch;

// Whether a session records. Costs one load of a line that nobody writes while a program runs.
static inline bool qs_is_recording(void)
{
	return __atomic_load_n(&qs_session_epoch, __ATOMIC_RELAXED) != 0;
}

// The number of the session that records now, 0 when none does: for callers that keep something for the length of a session.
static inline uint32_t qs_session_number(void)
{
	return __atomic_load_n(&qs_session_epoch, __ATOMIC_RELAXED);
}

// The number of the time that everything is to be defined, 0 when no session records. A session for LTTng has many such times: what was defined
// for an earlier one may not be in the part of the trace that is read.
uint32_t qs_definitions_number(void);

// Whether a session records, and the calls that the Queuescope library makes into libdispatch are not recorded by hooks.
extern uint32_t qs_wrapper_epoch;

static inline bool qs_records_wrapper(void)
{
	return __atomic_load_n(&qs_wrapper_epoch, __ATOMIC_RELAXED) != 0;
}

// Whether hooks record these calls: those that are linked, in every session, or another recorder's, in the one that
// records now. Then a closure goes to libdispatch as it is, so that it is the code that is recorded.
bool qs_hooks_record(void);

// Says that hooks record every call into libdispatch: from the next session on qs_records_wrapper is false. Call from a constructor.
void qs_set_interposed(void);

// MARK: Sessions

enum qs_session_error {
	QS_SESSION_OK = 0,
	QS_SESSION_ACTIVE = 1,           // a session records already
	QS_SESSION_EXISTS = 2,           // the directory exists and is not empty
	QS_SESSION_CANNOT_CREATE = 3,    // the directory or a file in it cannot be created; errno says why
	QS_SESSION_NO_MEMORY = 4,        // not even for the first events; errno says why
	QS_SESSION_PATH_TOO_LONG = 5,
	QS_SESSION_NO_THREAD = 6,        // the recorder could not start its own thread; errno says why
};

struct qs_session_options {
	// Bytes that the trace may have: new events are discarded then. 0 for no limit.
	uint64_t limit;
	// A flight recorder: the oldest events are overwritten then. A limit of 0 stands for 256 MiB.
	bool is_flight;
	// Bytes of memory for events that are not in the trace's files yet; 0: 64 MiB, or a sixteenth of what the cgroup may have if that is less.
	uint64_t memory;
};

// Starts to record into a new directory (mode 0700), which must not exist or be empty. Returns an enum qs_session_error; *system_error
// gets errno or 0. Blocks: yes (files). Context: not from a signal handler.
int qs_session_start(const char *directory, const struct qs_session_options *options, int *system_error);

// Stops the session: completes the files. Does nothing when none records.
// Returns how many event records were discarded. Blocks: yes.
uint64_t qs_session_stop(void);

// What a session left behind.
struct qs_stopped_session {
	char directory[4096];
	// Event records for which there was no room.
	uint64_t discarded;
};

// The same for a program that goes on, which the trace says, and tells about the session that it stopped. False when
// none recorded, and when it is that of another recorder in this process, which goes on. Blocks: yes.
bool qs_session_stop_and_tell(struct qs_stopped_session *stopped);

// Makes everything recorded so far durable against a crash of the machine (fsync). Against the death of the process it
// is durable already. Blocks: for a minute at most.
void qs_session_flush(void);

// Another program is about to take this one's place by exec: has what was recorded copied into the trace's files. Recording goes on if the exec fails. Does
// nothing when no session records. Context: also a signal handler. Allocates: no. Blocks: for 0.2 s at most.
void qs_session_before_exec(void);

// Whether the session overwrites its oldest events: what must not be forgotten is recorded as a definition.
bool qs_session_is_flight_recorder(void);

// Event records discarded so far in this session, or in the last one.
uint64_t qs_session_discarded(void);

// The directory of the session that records, or "" when none does. Valid until the next qs_session_start.
const char *qs_session_directory(void);

// Registers a function that writes `queue_state` and similar definitions of what exists, called at every session start
// with recording on. Two at most, as the hooks have one and the Queuescope library another; each registers once.
void qs_add_statedump(void (*statedump)(void));

// MARK: Ids

// A new item id: unique in the process for as long as fewer than 2^32 items per thread are in flight.
uint64_t qs_new_item(void);

// A new id for a source, group, semaphore, lock, signpost or concurrentPerform, unique in the process.
uint64_t qs_new_object(void);

// A queue number for queues whose serial number cannot be read: counts down from UINT32_MAX.
uint32_t qs_new_queue_id(void);

// The kernel's id of this thread.
uint32_t qs_current_tid(void);

// MARK: Code and stacks

// The number of a call site, for the `code` fields. The first call for a site writes its `code_symbol`. `file` must live as long
// as the process (a string literal): its address is the key. 0 when no session records or the table is full.
uint32_t qs_code_site(const char *file, size_t file_length, uint32_t line);

// The same for a named site: a signpost's name with its call site. `symbol` must live as long as the process.
uint32_t qs_code_named(const char *symbol, size_t symbol_length, const char *file, size_t file_length, uint32_t line);

// The same for code by its address. `thunk` is 0, or the function that is called with the address among its data: then the address counts only when
// the thunk turns out to be a Swift reabstraction thunk, which is known where the symbols are.
uint32_t qs_code_address(uint64_t address, uint64_t thunk);

// The same for a call by way of these callers: return addresses, innermost first, the call's own at the front. Each way
// has a number of its own, and a `code_stack` that says which; when there are very many of them, the call's own address
// counts alone.
uint32_t qs_code_call(const uint64_t *frames, uint16_t count);

// Writes a `code_stack`: where calls with this number come from. LTTng sessions that begin later have it too.
void qs_code_note_stack(uint32_t code, uint32_t stack);

// Whether the session's trace has the definition of a number that qs_code_address gave: not when it was discarded.
bool qs_code_is_defined(uint32_t code);

// Whether the stack that this frame is on may be unwound: the unwinder is loaded, and the stack is the thread's own. On
// one that the program made, such as a coroutine's, the last return address may be any number, and libgcc reads the
// code at it.
bool qs_can_unwind(const void *frame);

// Takes the call stack of the caller, without `skip` innermost frames, and returns the number of its `stack`
// definition. Slow (microseconds): for rare events. 0 when no session records, and on a stack that cannot be unwound.
uint32_t qs_capture_stack(uint32_t skip);

// The number of the `stack` definition of these return addresses, innermost first: for who knows them otherwise. 0 when no session records.
uint32_t qs_define_stack(const uint64_t *frames, uint16_t count);

// MARK: Queues of libdispatch

// Says where libdispatch's offsets are, for a libdispatch that was opened late: the linker found none.
void qs_set_queue_offsets(const void *offsets);

// The main queue's address, NULL when libdispatch is not loaded.
const void *qs_main_queue(void);

// The serial number of a dispatch_queue_t; 0 when the layout of this libdispatch is not known.
uint32_t qs_queue_serial(const void *queue);

// The width of a dispatch_queue_t: 1 is serial; 0 when not known.
uint16_t qs_queue_width(const void *queue);

// The target of a dispatch_queue_t; NULL for a root queue or when not known.
const void *qs_queue_target(const void *queue);

// The label of a dispatch_queue_t; "" when it has none or the layout is not known.
const char *qs_queue_label(const void *queue);

// MARK: Who holds a hierarchy

// Per queue: who holds it, so that a sync can tell that it has to wait, and from whom it got the queue. Zero-initialise, then set the
// first three members. The words of a serial queue are written only by the thread that holds it; others read them.
struct qs_hold {
	struct qs_hold *target;      // the target queue's, NULL at the root: change it with qs_hold_set_target
	uint32_t queue;              // serial number
	uint16_t width;
	uint16_t unused;
	uint32_t holder;             // tid of the thread whose item runs on this queue or above it, 0 when none
	uint32_t last_holder;        // tid of the thread whose item ended last, 0 when none did
	uint64_t grants;             // how many items have begun
};

// Chains a queue to its target's holder, which must stay allocated for as long as `hold`: a sync that enters on another thread may still
// walk through a former target. Call while nothing runs on the queue.
void qs_hold_set_target(struct qs_hold *hold, struct qs_hold *target);

// What a sync remembers between its entry and its begin.
struct qs_sync_entry {
	uint64_t grants;             // sum over the serial levels at entry
	bool blocked;                // a sync_block was recorded
};

// Records `sync_enter` and, when a serial level of the hierarchy is held by another thread, `sync_block`.
void qs_sync_enter(struct qs_hold *hold, uint64_t item, uint32_t code, uint8_t kind, uint8_t qos, struct qs_sync_entry *entry);

// Records `sync_handoff` when the sync had to wait, then `item_begin`, and takes the levels. Call on the thread that runs the item, inside the queue.
void qs_sync_begin(struct qs_hold *hold, uint64_t item, const struct qs_sync_entry *entry);

// Records `item_begin` and takes the levels. For items that are not syncs. Call inside the queue.
void qs_item_begin(struct qs_hold *hold, uint64_t item);

// Records `item_end` and gives the levels back. For both.
void qs_item_end(struct qs_hold *hold, uint64_t item);

#ifdef __cplusplus
}
#endif

#endif
