#define _GNU_SOURCE
#include "quiet_threads.h"

#include <unistd.h>

#include "../Events/identity.h"
#include "../Events/stream.h"
#include "../System/system_calls.h"
#include "../System/system_clock.h"
#include "stream_copy.h"

static const int64_t QUIET_NS = 100 * 1000 * 1000;

void qs_quiet_threads_note(struct qs_stream *stream, int64_t now_ns)
{
	struct qs_copy *copy = &stream->copy;
	uint32_t last = qs_stream_copy_last_chunk(stream);
	if (last == 0) return;
	const struct qs_packet *packet = (const struct qs_packet *)qs_chunk_memory(last);
	uint32_t order = qs_chunk_entry(last)->order;
	uint64_t content = __atomic_load_n(&packet->content_size, __ATOMIC_RELAXED);
	if (copy->quiet_order == order && copy->quiet_content == content) return;
	copy->quiet_order = order;
	copy->quiet_content = content;
	copy->quiet_ns = now_ns;
}

static bool is_quiet(struct qs_stream *stream, int64_t now_ns, uint64_t until)
{
	qs_quiet_threads_note(stream, now_ns);
	const struct qs_copy *copy = &stream->copy;
	if (copy->chunk == 0 || copy->is_closed || now_ns - copy->quiet_ns < QUIET_NS) return false;
	const struct qs_packet *last = (const struct qs_packet *)qs_chunk_memory(qs_stream_copy_last_chunk(stream));
	return __atomic_load_n(&last->timestamp_end, __ATOMIC_RELAXED) <= until;
}

// Makes the owner join the session before its next event. See stream.h.
static bool suspend_owner(struct qs_stream *stream)
{
	const uint32_t epochs[] = {qs_identity.epoch, QS_EPOCH_WATCHED};
	for (int index = 0; index < 2; index++) {
		uint32_t epoch = epochs[index];
		if (__atomic_compare_exchange_n(
			&stream->epoch, &epoch, QS_NO_EPOCH, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return true;
	}
	return false;
}

// Closes the last chunk of an owner that was suspended before the barrier. Returns false when it records again.
static bool close_chunk(struct qs_stream *stream)
{
	uint32_t epoch = QS_NO_EPOCH;
	if (__atomic_load_n(&stream->writing, __ATOMIC_ACQUIRE)) return false;
	// The owner replaces it only after it has joined again, and then the exchange fails.
	const struct qs_packet *packet = __atomic_load_n(&stream->packet, __ATOMIC_RELAXED);
	if (!__atomic_compare_exchange_n(
		&stream->epoch, &epoch, QS_EPOCH_CLOSED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return false;
	if (packet != NULL) qs_streams_count_closed(packet);
	stream->copy.is_closed = true;
	return true;
}

bool qs_quiet_threads_close(struct qs_quiet_scan *scan, uint64_t until)
{
	int64_t now_ns = qs_clock_system(CLOCK_MONOTONIC);
	uint32_t suspended = 0, streams = qs_streams_count();
	scan->count = 0;
	while (scan->streams < streams && suspended < QS_QUIET_BATCH) {
		struct qs_stream *stream = qs_stream_at(++scan->streams);
		if (is_quiet(stream, now_ns, until) && suspend_owner(stream)) scan->closed[suspended++] = stream;
	}
	if (suspended == 0 || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) return false;
	for (uint32_t index = 0; index < suspended; index++) {
		if (close_chunk(scan->closed[index])) scan->closed[scan->count++] = scan->closed[index];
	}
	return true;
}
