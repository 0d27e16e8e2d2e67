// Identity of the session: its facts that do not change while it records. Written by the session's start, and read by
// everything that the session starts.
#ifndef QS_IDENTITY_H
#define QS_IDENTITY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../System/processors.h"
#include "clock.h"
#include "lttng_port.h"

enum {
	// First number of code and stacks of the second recorder of a process (shared_session.h).
	QS_SHARED_FIRST_CODE = 1 << 20,
};

struct qs_identity {
	const struct qs_lttng_port *lttng; // atomic: destination of the events; NULL: files
	uint32_t epoch;                    // number of the last session; qs_gate.epoch has it while it records
	uint32_t pid;                      // of the process that records
	uint32_t first_stream;             // added to a stream's index to get its number in the trace
	uint32_t *second_recorder;         // of a joined session: where the other recorder finds this recorder's thread
	bool is_joined;                    // joined the session of another recorder, which writes metadata and switches
	bool without_processors;           // no processor track
	uint32_t budget_ppm;               // most processor time of the recorder, in millionths of the process's; 0: none
	bool is_flight;                    // a flight recorder, which overwrites its oldest events and definitions
	uint64_t window_ns;                // part of the past that a flight recorder in memory keeps; 0: as much as fits
	uint8_t uuid[16];
	struct qs_clock_sample started;
	struct qs_processors processors;   // when the session started
	char directory[PATH_MAX];
};

extern struct qs_identity qs_identity;

// Whether definitions may be missing from the part of the trace that is read, so that they are written again.
static inline bool qs_session_repeats_definitions(void)
{
	return qs_identity.lttng != NULL || qs_identity.is_flight;
}

#endif
