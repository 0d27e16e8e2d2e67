// The session that records, if any: where to, and under which locks.
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

struct qs_session {
	struct qs_lock lock;              // guards starts, stops and forks, and everything here but the atomics
	struct qs_lock definitions_lock;  // guards the definitions stream; taken after `lock` where both are
	char directory[PATH_MAX];
	uint8_t uuid[16];
	uint64_t lost;                    // atomic: events of threads that could not get a stream
	uint32_t epoch;                   // counts sessions; qs_session_epoch has it while one records
	uint32_t first_stream;            // what is added to a stream's index to get its number in the trace
	struct qs_stream definitions;
	struct qs_clock_sample started;
	bool wants_images;                // atomic: code was met that may lie in a library opened since
	uint32_t definitions_number;      // counts the times that everything was to be defined: sessions, and statedumps for LTTng
	uint32_t pid;                     // of the process that records
	struct qs_processors processors;  // when the session started
	const struct qs_lttng_port *lttng; // where events go; NULL: to files
	void (*follower)(void);           // atomic: the statedump of a second recorder that writes to the same place
	bool is_joined;                   // to another recorder's: metadata and the processor track are that one's
	bool is_flight;                   // a flight recorder, which overwrites all but the definitions
	bool is_left_alone;               // an earlier session's thread could not complete its files: no other can start
};

extern struct qs_session qs_session;

// True while this thread is in the recorder's cold paths: what it would record there is discarded instead of waiting
// for a lock it holds.
extern __thread bool qs_thread_inside __attribute__((tls_model("initial-exec")));

// Records into LTTng's sessions from now on. False when a session records already. Context: as qs_session_start.
bool qs_session_start_for_lttng(void);

// Has what exists defined for the session: images, queues and sources; for LTTng's also what was defined before.
void qs_session_define(void);

// Joins the session of the preloaded recorder, when there is one. Whether it did.
bool qs_session_join(void);

// Counts events that belong to no stream. Context: any thread, also a signal handler.
void qs_session_lose(uint64_t count);

// Takes what was counted so, to be told elsewhere.
uint64_t qs_session_take_lost(void);

// Stops the session because the process ends, which gives the memory back: that costs the program less than
// qs_session_stop.
void qs_session_end(void);

// Whether this process is a child of _Fork, or of the system call, for which no handlers have run: the session, and the
// thread that would complete it, are its parent's. It records no more.
bool qs_session_leave_to_parent(void);

// Records no more, in a process that goes on, until it ends. Context: the recorder's thread, which ends then.
void qs_session_abandon(void);

// Definitions dropped so far: tells whether one that was just recorded is in the trace.
uint64_t qs_session_lost_definitions(void);

// What a forked child does not have.
void qs_session_forget(void);

#endif
