// The session that records, if any: where to, which streams, under which lock.
#ifndef QS_SESSION_H
#define QS_SESSION_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "lttng.h"
#include "stream.h"

struct qs_session {
	pthread_mutex_t lock;             // guards everything here but the atomics
	pthread_mutex_t definitions_lock; // guards the definitions stream; taken after `lock` where both are
	char directory[PATH_MAX];
	uint8_t uuid[16];
	uint64_t limit;                   // bytes, 0 for none
	uint64_t bytes;                   // atomic: handed out in packets
	uint64_t lost;                    // atomic: events of threads that could not get a stream
	uint64_t retry_time;              // atomic: no thread tries to get a stream before
	uint32_t epoch;                   // counts sessions; qs_session_epoch has it while one records
	uint32_t stream_count;
	struct qs_stream *streams;        // all thread streams, newest first
	struct qs_stream definitions;
	struct qs_clock_sample started;
	pthread_t supplier;
	bool has_supplier;
	uint32_t supplier_ready;          // atomic, futex: 1 once the thread can be relied on
	uint32_t supply_requests;         // atomic, futex: counts requests of streams
	bool stopping;                    // atomic
	bool lets_stop_signal_through;    // atomic
	bool wants_images;                // atomic: code was met that may lie in a library opened since
	uint32_t definitions_number;      // counts the times that everything was to be defined: sessions, and statedumps for LTTng
	uint32_t pid;                     // for LTTng
	const struct qs_lttng_port *lttng; // where events go; NULL: to files
	void (*follower)(void);           // atomic: the statedump of a second recorder that writes to the same place
	bool is_joined;                   // to another recorder's: metadata and the processor track are that one's
};

extern struct qs_session qs_session;

// Guards the table of call stacks.
extern pthread_mutex_t qs_stacks_lock;

// True while this thread is in the recorder's cold paths: what it would record there is discarded instead of waiting for a lock it holds.
extern __thread bool qs_thread_inside __attribute__((tls_model("initial-exec")));

// Records into LTTng's sessions from now on. False when a session records already. Context: as qs_session_start.
bool qs_session_start_for_lttng(void);

// Has what exists defined for the session: images, queues and sources; for LTTng's also what was defined before.
void qs_session_define(void);

// Joins the session of the preloaded recorder, when there is one. Whether it did.
bool qs_session_join(void);

// The name of this process as the system has it, for a buffer of at least 16 bytes.
void qs_process_name(char *out, size_t size);

// Writes the metadata file with the calibration, replacing an older one in one step. False with errno when it fails.
bool qs_metadata_write(struct qs_clock_calibration calibration);

// Stops the session because the process ends, which gives the memory back: that costs the program less than qs_session_stop.
void qs_session_end(void);

// The same for a better calibration, in the file that is there, as long as no more of it changes.
bool qs_metadata_rewrite(struct qs_clock_calibration calibration);

// Sets the path of a new stream's file.
void qs_stream_set_path(struct qs_stream *stream);

// Maps the packet at this offset of the stream's file, with its disk space reserved and its pages present. NULL when the limit or the disk is full.
// Only the owner of the stream creates the file. What is at the offset stays as it is: the stream can pass on while the supply thread works.
struct qs_packet *qs_packet_map(const struct qs_stream *stream, uint64_t offset, uint32_t bytes, bool is_owner);

// Starts and stops the thread that prepares packets ahead of the writers, and with it the processor track.
void qs_supply_start(void);
void qs_supply_stop(void);

// Asks it for a packet for this stream. Costs one futex wake.
void qs_supply_request(struct qs_stream *stream);

// Lets the signal reach the supply thread by which Swift's runtime stops every thread of a program that crashes, to print their stacks. It is blocked until then: a
// program may use it for something else. Context: also a signal handler.
void qs_supply_let_stop_signal_through(void);

// Definitions dropped so far: tells whether one that was just recorded is in the trace.
uint64_t qs_session_lost_definitions(void);

// Forgets the cached id of this thread.
void qs_forget_tid(void);

// Writes `image` definitions of everything mapped, and again when libraries were loaded since. Takes the loader's lock.
void qs_images_record(void);

// Has that done soon, or at the session's stop.
void qs_images_request(void);

// Writes the definitions of all code and of all stacks of the session again.
void qs_codes_record_again(void);
void qs_stacks_record_again(void);

// Finds the executable's path. The session's lock is held.
void qs_images_find_executable(void);

#endif
