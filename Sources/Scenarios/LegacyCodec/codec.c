#include "CLegacyCodec.h"
#include "dispatch_functions.h"
#include <stdio.h>
#include <time.h>

struct frames {
	int count;
	long nanoseconds_per_frame;
};

static long now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void decode_frame(void *context)
{
	const struct frames *frames = context;
	long end = now() + frames->nanoseconds_per_frame;
	while (now() < end) {
	}
}

static void decode_frames(dispatch_queue_t queue, struct frames *frames)
{
	dispatch_group_t decoded = dispatch_group_create();
	for (int frame = 0; frame < frames->count; frame++)
		dispatch_group_async_f(decoded, queue, frames, decode_frame);
	dispatch_group_wait(decoded, DISPATCH_TIME_FOREVER);
	dispatch_release(decoded);
}

static dispatch_queue_t create_queue(const char *label, const char *part)
{
	char name[128];
	snprintf(name, sizeof(name), "%s.%s", label, part);
	return dispatch_queue_create(name, DISPATCH_QUEUE_SERIAL);
}

void codec_decode_stream(const char *label, int frames, int nanoseconds_per_frame, bool late_move)
{
	struct frames work = {frames, nanoseconds_per_frame};
	dispatch_queue_t slow = dispatch_get_global_queue(QOS_CLASS_UTILITY, 0);
	dispatch_queue_t pipeline = create_queue(label, "pipeline");
	dispatch_queue_t decoder = create_queue(label, "decoder");
	if (!late_move)
		dispatch_set_target_queue(pipeline, slow);
	dispatch_set_target_queue(decoder, pipeline);
	decode_frames(decoder, &work);
	if (late_move)
		dispatch_set_target_queue(pipeline, slow);
	decode_frames(decoder, &work);
	dispatch_release(decoder);
	dispatch_release(pipeline);
}

void codec_decode_file(const char *label, int frames, int nanoseconds_per_frame, bool is_mutable)
{
	struct frames work = {frames, nanoseconds_per_frame};
	dispatch_queue_t pipeline = dispatch_queue_create_with_target(label, DISPATCH_QUEUE_SERIAL, NULL);
	dispatch_queue_t decoder;
	if (is_mutable) {
		decoder = create_queue(label, "decoder");
		dispatch_set_target_queue(decoder, pipeline);
	} else {
		char name[128];
		snprintf(name, sizeof(name), "%s.decoder", label);
		decoder = dispatch_queue_create_with_target(name, DISPATCH_QUEUE_SERIAL, pipeline);
	}
	decode_frames(decoder, &work);
	dispatch_release(decoder);
	dispatch_release(pipeline);
}
