// State of the recording session, if any: its destination and its locks.
#ifndef QS_SESSION_H
#define QS_SESSION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "lock.h"
#include "lttng.h"
#include "processors.h"
#include "stream.h"
#include "thread_guard.h"

struct qs_session_options;

struct qs_session {
	struct qs_lock lock;              // guards starts, stops and forks, and all members that are not atomic
	struct qs_lock definitions_lock;  // guards the definitions stream; taken after `lock`
	char directory[PATH_MAX];
	uint8_t uuid[16];
	uint64_t lost;                    // atomic: events of threads that could not get a stream
	uint32_t epoch;                   // number of the last session; qs_gate.epoch has it while it records
	uint32_t first_stream;            // added to a stream's index to get its number in the trace
	struct qs_stream definitions;
	struct qs_clock_sample started;
	bool wants_images;                // atomic: code was recorded that may be in a newly loaded library
	uint32_t definitions_number;      // atomic: counts sessions, LTTng statedumps and generations
	uint32_t pid;                     // of the process that records
	struct qs_processors processors;  // when the session started
	const struct qs_lttng_port *lttng; // destination of the events; NULL: files
	void (*follower)(void);           // atomic: the statedump of a second recorder that writes to the same destination
	bool is_joined;                   // joined the session of another recorder, which writes metadata and switches
	bool is_flight;                   // a flight recorder, which overwrites its oldest events and definitions
	bool has_unfinished_session;               // an earlier session's files are not complete: no session can start
};

extern struct qs_session qs_session;

// The same as qs_session_start, with a path that is used as it is, and the pattern that the directories of earlier
// sessions match.
int qs_session_start_in(
	const char *directory, const char *pattern, const struct qs_session_options *options, int *system_error);

// Starts to record into LTTng's sessions. Returns false when a session already records. Context: as qs_session_start.
bool qs_session_start_for_lttng(void);

// Begins a generation of definitions: whatever is defined once per generation is then defined again at its next use.
void qs_session_begin_definitions(void);

// Writes the definitions of existing objects, such as queues and sources, without images.
void qs_session_define_objects(void);

// Whether definitions may be missing from the part of the trace that is read, so that they are written again.
static inline bool qs_session_repeats_definitions(void)
{
	return qs_session.lttng != NULL || qs_session.is_flight;
}

// Joins the session of the preloaded recorder. Returns false when there is none.
bool qs_session_join(void);

// Counts discarded events that belong to no stream. Context: any thread, also a signal handler.
void qs_session_lose(uint64_t count);

// Returns that count and resets it. The caller adds it to another counter.
uint64_t qs_session_take_lost(void);

// Stops the session at the end of the process. Cheaper than qs_session_stop, because the memory is not unmapped.
void qs_session_end(void);

// Whether this process is a child of _Fork, or of the system call, which run no fork handlers. The session and the
// recorder thread then belong to the parent, and this process stops recording.
bool qs_session_leave_to_parent(void);

// Stops recording for good in a process that continues. Context: the recorder thread, which ends afterwards.
void qs_session_abandon(void);

// Number of discarded definitions so far. A caller compares it to check whether its definition was recorded.
uint64_t qs_session_lost_definitions(void);

// Resets the state that a forked child does not inherit.
void qs_session_forget(void);

#endif
