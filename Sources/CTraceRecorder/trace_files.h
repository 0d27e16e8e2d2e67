// The files of the trace directory, as the recorder's thread has them: by descriptors of its own that the program
// neither sees nor can close, so that neither chroot nor a change of user takes them away.
#ifndef QS_TRACE_FILES_H
#define QS_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "stream.h"

// Makes the directory (mode 0700), or accepts an empty one that belongs to this user, never through a symbolic link.
// Returns an enum qs_session_error, with errno.
int qs_trace_directory_make(const char *path);

// Writes into the directory where the arena is, for whoever finds the trace when the process is gone; "": there is
// none. False with errno when that fails.
bool qs_trace_directory_name_arena(const char *path, const char *arena, bool is_joined);

// Opens the directory, its metadata and the arena, and locks the latter for as long as this process lives. Context:
// the recorder's thread, first of all: it gets a table of descriptors of its own, without those of the program.
void qs_trace_files_open(const char *directory, const char *arena);

// Makes the files of the streams that there are, and some for those to come. Context: the recorder's thread, when the
// processor track has its stream.
void qs_trace_files_make(void);

// Writes into the stream's file, which is made with the first write. Returns 0, or errno. A write that fails may
// leave part of its bytes behind the offset.
int qs_trace_file_write(struct qs_stream *stream, const struct iovec *parts, int count, uint64_t offset);

// Reads from the stream's file. False when there is less.
bool qs_trace_file_read(struct qs_stream *stream, void *bytes, size_t count, uint64_t offset);

// Gives back what the disk keeps of the file between two offsets: it reads as zeros. False when the file system cannot.
bool qs_trace_file_make_hole(struct qs_stream *stream, uint64_t from, uint64_t to);

// Locks readers out of the trace for a moment; false when one has it open. Readers take a shared flock on the metadata.
bool qs_trace_files_lock(void);
void qs_trace_files_unlock(void);

// Cuts off what lies behind the trace in the stream's file, and closes it.
void qs_trace_file_finish(struct qs_stream *stream, bool is_torn);

// Replaces the begin of the metadata. False when that fails.
bool qs_trace_metadata_write(const char *text, size_t length);

// The arena's descriptor, -1 when it has no file.
int qs_trace_arena_file(void);

// Bytes that may still be written: the file system keeps a reserve, as a recording that nobody watches must not fill
// the disk that the program and its machine live on, and where it is memory, the container too. UINT64_MAX when that
// is not known.
uint64_t qs_trace_files_room(void);

// Has the disk hold what was written, against a crash of the machine.
void qs_trace_files_sync(void);

// Removes the arena and what names it, and closes everything. `is_complete`: there is nothing in the arena that is
// not in the files.
void qs_trace_files_close(bool is_complete);

#endif
