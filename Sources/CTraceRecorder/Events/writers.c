#define _GNU_SOURCE
#include "writers.h"

#include <time.h>
#include <unistd.h>

#include "../System/system_calls.h"
#include "gate.h"
#include "stream.h"

enum { NAP_NS = 100 * 1000 };

void qs_writers_refuse(void)
{
	__atomic_store_n(&qs_gate.wrapper_epoch, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&qs_gate.epoch, 0, __ATOMIC_SEQ_CST);
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
		const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
		nanosleep(&pause, NULL);
	}
}

// Waits until the stream's owner has finished its event, for at most *naps naps. Returns false when it has not; the
// stream is then left unchanged.
static bool wait_for_writer(struct qs_stream *stream, int *naps)
{
	const struct timespec pause = {.tv_nsec = NAP_NS};
	// exit() in a signal handler that interrupted this thread during an event: the event will not be finished, and the
	// packet counts complete events only.
	if (stream == qs_thread_stream) return true;
	while (__atomic_load_n(&stream->writing, __ATOMIC_ACQUIRE)) {
		if (*naps == 0) return false;
		--*naps;
		nanosleep(&pause, NULL);
	}
	return true;
}

bool qs_writers_wait(int milliseconds)
{
	int naps = milliseconds * (1000 * 1000 / NAP_NS);
	bool have_ended = true;
	for (uint32_t index = 1; index <= qs_streams_count(); index++)
		have_ended &= wait_for_writer(qs_stream_at(index), &naps);
	return have_ended;
}
