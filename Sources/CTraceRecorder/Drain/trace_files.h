// Files of the trace directory, as the recorder thread opens them: with private descriptors that the program can
// neither see nor close. They stay valid after a chroot or a change of the user.
#ifndef QS_TRACE_FILES_H
#define QS_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "../Events/stream.h"

// Gives this thread an empty table of file descriptors, so that its files take no descriptor numbers from the program
// and cannot be seen or closed by it. It also gets its own root and working directory. Returns false when the system
// refuses. Context: a thread of the recorder.
bool qs_trace_files_leave_program(void);

// Opens the directory, its metadata and the file that names the arena, and locks that file for the life of this
// process. Context: the recorder thread, before everything else: it gets a descriptor table of its own, without the
// program's descriptors.
void qs_trace_files_open(const char *directory);

// Whether the recorder thread has a descriptor table of its own.
bool qs_trace_files_are_private(void);

// Creates the files of the existing streams, and some for future ones. Context: the recorder thread, when the processor
// track has its stream.
void qs_trace_files_make(void);

// Writes into the stream's file, which the first write creates. Returns 0, or errno. A failed write may leave some of
// its bytes after the offset.
int qs_trace_file_write(struct qs_stream *stream, const struct iovec *parts, int count, uint64_t offset);

// Reads from the stream's file. Returns false when it has fewer bytes.
bool qs_trace_file_read(struct qs_stream *stream, void *bytes, size_t count, uint64_t offset);

// Punches a hole between two offsets of the file, which then reads as zeros. Returns false when the file system cannot.
bool qs_trace_file_make_hole(struct qs_stream *stream, uint64_t from, uint64_t to);

// Locks readers out of the trace for a short time. Returns false while a reader has it open: readers take a shared
// flock on the metadata.
bool qs_trace_files_lock(void);
void qs_trace_files_unlock(void);

// Cuts off the bytes after the trace in the stream's file, and closes it. Creates no file for a stream without one.
void qs_trace_file_finish(struct qs_stream *stream);

// Replaces the start of the metadata. Returns false when that fails.
bool qs_trace_metadata_write(const char *text, size_t length);

// Bytes that may still be written. The file system keeps a reserve, because an unattended recording must not fill the
// disk of the program and its machine, or, on a tmpfs, the memory of the container. UINT64_MAX when it is not known.
uint64_t qs_trace_files_room(void);

// Flushes the written bytes to the disk, against a crash of the machine.
void qs_trace_files_sync(void);

// Removes the arena and the file that names it, and closes everything. `is_complete`: all events of the arena are in
// the files; otherwise the arena stays.
void qs_trace_files_close(bool is_complete);

#endif
