// The size of the trace, its limit, and the free room on the disk.
#ifndef QS_TRACE_SIZE_H
#define QS_TRACE_SIZE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	// Part of a flight recorder's limit that is kept free of events for definitions: a quarter. More definitions than
	// that are an exception of a moment (generations.h), so they take no room from events.
	QS_DEFINITIONS_PART = 4,
};

// Starts an empty trace with its limit in bytes; 0: no limit. Beyond the limit events are discarded, or, with
// `overwrites`, the oldest packets are removed (overwriting.h). With `overwrites`, a limit of 0 means 256 MiB. Returns
// the limit that applies. Context: a session's start.
uint64_t qs_trace_size_start(uint64_t limit, bool overwrites);

// Whether the trace has a limit.
bool qs_trace_size_has_limit(void);

// Whether a packet of this many bytes may be written; a flight recorder removes old packets for it. Returns 0, EDQUOT
// (the limit) or ENOSPC (the disk). Context of this and the next functions: the recorder thread.
int qs_trace_size_admit(uint64_t bytes, bool is_definition);

// Notes that a packet was written.
void qs_trace_size_add(uint64_t bytes, bool is_definition);

// Notes that a flight recorder has removed events.
void qs_trace_size_remove_events(uint64_t bytes);

// Notes that definitions were removed.
void qs_trace_size_remove_definitions(uint64_t bytes);

#endif
