// Snapshot: a copy of the files of a trace that this process still records. The copy is a complete trace.
//
//	                                   end
//	original   ├ packet ┼ packet ┼ packet ┼ packet ┤ events in memory, and a packet that is being written
//	copy       ├ packet ┼ packet ┼ pack┤
//
// The recorder thread writes the streams one after the other, so the files end at different times. The copy ends at one
// time in all streams: when the snapshot was requested, before the first stream was written. An event before this time
// that is not in its file yet was not complete then, so no event of the copy depends on it. Definitions have no end.
//
// The recorder thread only appends packets, so a file has whole packets up to its last one. The sizes of all files are
// read before the first file is copied, and the size of the definitions last, because the events refer to them. A
// flight recorder overwrites nothing while the files are copied.
//
// The command has the same operation (Sources/CTFReader/Repair/TraceSnapshot.swift).
#ifndef QS_SNAPSHOT_H
#define QS_SNAPSHOT_H

#include <stdint.h>

// Copies the trace in the directory `trace` into `target`, an existing empty directory. Leaves out the events after
// `end_time`, in ticks of the trace's clock, UINT64_MAX for none. `reason`: stored in the copy, NULL for none. Returns
// an enum qs_snapshot_error, with errno; the files of an incomplete copy are removed. Allocates: memory of its own.
// Blocks: for the disk. Context: not in a signal handler.
int qs_snapshot_copy(const char *trace, const char *target, uint64_t end_time, const char *reason);

#endif
