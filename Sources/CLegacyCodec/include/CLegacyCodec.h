#ifndef C_LEGACY_CODEC_H
#define C_LEGACY_CODEC_H

#include <stdbool.h>

/*
 * A codec library in C whose queues come from dispatch_queue_create, as before 2016: their target may still change,
 * which no queue made from Swift allows. Each function returns when its work is done, and may be called from any thread.
 */

/* Decodes frames on a queue that targets a pipeline's queue.
 *
 * late_move: whether the pipeline's queue itself gets another target while the decoder's queue targets it. */
void codec_decode_stream(const char *label, int frames, int nanoseconds_per_frame, bool late_move);

/* Decodes frames on a serial queue below a pipeline's queue.
 *
 * is_mutable: whether the queue gets its target after its creation, instead of being created with it. */
void codec_decode_file(const char *label, int frames, int nanoseconds_per_frame, bool is_mutable);

#endif
