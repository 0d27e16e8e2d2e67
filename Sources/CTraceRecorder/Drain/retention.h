// Removes old traces of a service, so that its restarts do not fill the disk. The session that starts applies the limit
// (QUEUESCOPE_KEEP, `record --keep`, TraceSession.start).
//
// A directory is removed only if
//   - it is next to this session's directory, its name matches the pattern, and its owner is this user,
//   - it is a trace of Queuescope without other files,
//   - the trace is finished, or its process has ended for certain, and
//   - no reader has locked the trace.
// Other traces count towards the limit and stay.
#ifndef QS_RETENTION_H
#define QS_RETENTION_H

#include <stdbool.h>
#include <stdint.h>

// Limit of the kept traces. 0: no limit.
struct qs_retention {
	uint32_t traces; // number of the newest traces, including the trace of this session
	uint64_t bytes;  // on the disk, without the trace of this session
};

// Sets the limit of a session. The last component of the pattern counts. Context: before the recorder thread starts.
void qs_retention_begin(const char *pattern, const struct qs_retention *kept);

// Removes the oldest surplus trace that may be removed. Returns false when there is none, or without a descriptor table
// of its own. Context: the recorder thread.
bool qs_retention_run(void);

#endif
