// Threads that have recorded nothing for some time. The recorder thread can close their partly filled chunks while
// chunks are scarce: see stream.h.
//
// Context of all functions: the recorder thread.
#ifndef QS_QUIET_THREADS_H
#define QS_QUIET_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct qs_stream;

// Notes whether the content of the stream's last chunk has changed since the previous call. Call it for every stream
// about once a second; a scan calls it too.
void qs_quiet_threads_note(struct qs_stream *stream, int64_t now_ns);

enum { QS_QUIET_BATCH = 64 };

// A scan for quiet threads. Zero-initialize.
struct qs_quiet_scan {
	uint32_t streams; // that were examined
	uint32_t count;   // of the following streams
	struct qs_stream *closed[QS_QUIET_BATCH];
};

// Closes the last chunks of the next quiet threads whose last event is not later than `until`, a time of the trace's
// clock. Such a chunk is complete, and its thread continues in a new chunk. Returns false at the end of the scan.
bool qs_quiet_threads_close(struct qs_quiet_scan *scan, uint64_t until);

#endif
