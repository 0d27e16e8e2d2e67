#ifndef C_LEGACY_CODEC_H
#define C_LEGACY_CODEC_H

#include <stdbool.h>

/*
 * A codec library in C that creates its queues with dispatch_queue_create, as programs did before 2016. The target of
 * such a queue may change after its creation. The target of a queue that Swift creates may not. Each function waits for
 * its work, and may be called from any thread.
 */

/* Decodes frames on a queue that targets a pipeline's queue.
 *
 * late_move: whether the pipeline's queue gets another target while the decoder's queue targets it. */
void codec_decode_stream(const char *label, int frames, int nanoseconds_per_frame, bool late_move);

/* Decodes frames on a serial queue below a pipeline's queue.
 *
 * is_mutable: whether the queue gets its target after its creation, instead of being created with it. */
void codec_decode_file(const char *label, int frames, int nanoseconds_per_frame, bool is_mutable);

#endif
