// Copies the content of one stream from the arena into its file, as packets. Lock-free towards producers.
//
// After every write it commits its progress in the arena. If the process dies, recovery continues from there: every
// packet is in the file once, at whatever instruction the process was killed.
//
// Context of all functions: the recorder thread.
#ifndef QS_STREAM_COPY_H
#define QS_STREAM_COPY_H

#include <stdbool.h>
#include <stdint.h>

struct qs_stream;

// Resets the state at a session's start.
void qs_stream_copy_start(void);

// Begins a run over the streams. Returns false during the pause after a write that failed for lack of room.
bool qs_stream_copy_begin_run(int64_t now_ns);

// From now on, a write that fails is not tried again.
void qs_stream_copy_begin_last_run(void);

// Whether a write of this run failed, and is tried again after a pause.
bool qs_stream_copy_is_paused(void);

// Whether this process may not write. The rest then stays in the arena for recovery by a later reader.
bool qs_stream_copy_is_refused(void);

// Bytes of events that this run has copied.
uint64_t qs_stream_copy_bytes(void);

// Stores the progress of the stream in the arena, where recovery finds it.
void qs_stream_copy_commit(struct qs_stream *stream);

// Copies the full chunks of a stream and, with `with_partial`, its partly filled one. Frees the full chunks.
void qs_stream_copy(struct qs_stream *stream, bool with_partial);

// Copies the stream's first chunk as above, and does not free it. Returns whether it is full and copied.
bool qs_stream_copy_first(struct qs_stream *stream, bool with_partial);

// Begins the stream's first chunk unless a chunk is being copied. Returns false when there is none.
bool qs_stream_copy_has_chunk(struct qs_stream *stream);

// The stream's last chunk, 0 when it has none. Links a chunk that the owner took after the last one was closed.
uint32_t qs_stream_copy_last_chunk(struct qs_stream *stream);

// Continues after a chunk that is no longer in the stream, with this order, at the chunk `next`; 0: the stream has no
// other chunk yet.
void qs_stream_copy_skip(struct qs_stream *stream, uint32_t order, uint32_t next);

// Frees the chunk that is being copied: its content is copied. The stream continues with the next chunk, if it has one.
void qs_stream_copy_free_chunk(struct qs_stream *stream);

// Makes the number of the stream's next packet show that events are missing before it.
void qs_stream_copy_note_gap(struct qs_stream *stream);

// Counts discarded events of the stream.
void qs_stream_copy_discard(struct qs_stream *stream, uint32_t count);

// Writes the number of discarded events into the stream's file, or adds it to the number of the definitions stream.
void qs_stream_copy_write_discarded(struct qs_stream *stream);

#endif
