#include "overwriting.h"

#include <time.h>

#include "../Events/stream.h"
#include "trace_files.h"

// Whether the oldest packet may be removed. The last packet stays, because the number of discarded events is written
// into it. At least two packets are removed first: a reader detects overwriting by a first packet with a number other
// than 0.
static bool may_be_removed(const struct qs_stream *stream)
{
	uint32_t packets = stream->copy.done.packets - stream->copy.has_gap;
	return packets > 2 && packets > stream->copy.oldest.packets + 1;
}

static bool read_head(struct qs_stream *stream, uint64_t offset, struct qs_packet *head)
{
	return qs_trace_file_read(stream, head, QS_PACKET_HEAD, offset) && head->magic == QS_PACKET_MAGIC;
}

// Reads the head of the stream's oldest packet. Returns false when there is none.
static bool read_first(struct qs_stream *stream)
{
	struct qs_oldest *oldest = &stream->copy.oldest;
	struct qs_packet head;
	bool has_packet = oldest->offset < stream->copy.done.file_end;
	if (oldest->bytes == 0 && has_packet && read_head(stream, oldest->offset, &head)) {
		uint64_t bytes = head.packet_size / 8;
		bool is_in_file = bytes >= QS_PACKET_HEAD && bytes <= stream->copy.done.file_end - oldest->offset;
		oldest->bytes = is_in_file ? (uint32_t)bytes : 0;
		oldest->end_time = head.timestamp_end;
	}
	return oldest->bytes != 0;
}

// The same. Returns false also when the packet has to stay.
static bool read_oldest(struct qs_stream *stream)
{
	return may_be_removed(stream) && read_first(stream);
}

static struct qs_stream *stream_with_oldest(void)
{
	struct qs_stream *found = NULL;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		struct qs_stream *stream = qs_stream_at(index);
		if (!read_oldest(stream)) continue;
		if (found == NULL || stream->copy.oldest.end_time < found->copy.oldest.end_time) found = stream;
	}
	return found;
}

static uint64_t remove_oldest(struct qs_oldest *oldest)
{
	uint64_t bytes = oldest->bytes;
	oldest->gone = oldest->offset;
	oldest->offset += bytes;
	oldest->packets += 1;
	oldest->bytes = 0;
	return bytes;
}

// Writes the head that replaces the removed packets, and punches the hole. Returns false on failure.
static bool make_hole(struct qs_stream *stream)
{
	struct qs_oldest *oldest = &stream->copy.oldest;
	struct qs_packet head;
	if (!read_head(stream, oldest->gone, &head)) return false;
	head.timestamp_begin = head.timestamp_end;
	head.content_size = QS_PACKET_HEAD * 8;
	head.packet_seq_num = oldest->packets - 1;
	head.packet_size = oldest->offset * 8;
	head.event_count = 0;
	struct iovec part = {&head, QS_PACKET_HEAD};
	if (qs_trace_file_write(stream, &part, 1, 0) != 0) return false;
	oldest->hole_end = oldest->offset;
	return qs_trace_file_make_hole(stream, QS_PACKET_HEAD, oldest->offset);
}

uint64_t qs_overwrite_oldest(uint64_t bytes)
{
	if (!qs_trace_files_lock()) return 0;
	uint64_t gone = 0;
	struct qs_stream *stream;
	while (gone < bytes && (stream = stream_with_oldest()) != NULL) {
		do gone += remove_oldest(&stream->copy.oldest);
		while (stream->copy.oldest.packets < 2 && read_oldest(stream));
	}
	bool is_done = true;
	for (uint32_t index = 1; index <= qs_streams_count(); index++) {
		stream = qs_stream_at(index);
		if (stream->copy.oldest.hole_end != stream->copy.oldest.offset) is_done = make_hole(stream) && is_done;
	}
	qs_trace_files_unlock();
	return is_done ? gone : 0;
}

uint64_t qs_overwrite_before(struct qs_stream *stream, const struct qs_packet_end *end)
{
	struct qs_oldest *oldest = &stream->copy.oldest;
	if (!qs_trace_files_lock()) return 0;
	struct qs_oldest before = *oldest;
	oldest->gone = end->offset - end->last_packet;
	oldest->offset = end->offset;
	oldest->packets = end->packets;
	oldest->bytes = 0;
	bool is_done = make_hole(stream);
	qs_trace_files_unlock();
	if (is_done) return end->offset - before.offset;
	*oldest = before; // so that the next call tries again
	return 0;
}

// The head of the hole is the last packet of the file now.
static void set_last_packet(struct qs_copy *copy)
{
	uint64_t bytes = copy->done.file_end;
	copy->done.last_packet = bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
}

uint64_t qs_overwrite_until(struct qs_stream *stream, uint64_t time)
{
	struct qs_copy *copy = &stream->copy;
	struct qs_oldest *oldest = &copy->oldest;
	if (!read_first(stream) || oldest->end_time >= time || !qs_trace_files_lock()) return 0;
	struct qs_oldest before = *oldest;
	uint64_t newest = 0;
	while (read_first(stream) && oldest->end_time < time) {
		newest = oldest->end_time;
		remove_oldest(oldest);
	}
	qs_arena_note_overwritten(newest); // first: a kill may follow
	bool is_empty = oldest->offset == copy->done.file_end;
	if (is_empty) oldest->packets = copy->done.packets + !copy->has_gap;
	bool is_done = make_hole(stream);
	qs_trace_files_unlock();
	if (!is_done) {
		*oldest = before; // so that the next call tries again
		return 0;
	}
	if (is_empty) {
		copy->done.packets = oldest->packets;
		copy->has_gap = true;
		set_last_packet(copy);
	}
	return oldest->offset - before.offset;
}

uint64_t qs_overwrite_before_gap(struct qs_stream *stream, int *attempts)
{
	const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
	struct qs_copy *copy = &stream->copy;
	const struct qs_packet_end end = {copy->done.file_end, copy->done.packets, copy->done.last_packet};
	if (end.offset == 0) copy->oldest.packets = end.packets;
	if (copy->oldest.offset == end.offset) return 0; // the file is empty, or the write after its last hole failed
	uint64_t removed = qs_overwrite_before(stream, &end);
	for (; removed == 0 && *attempts > 0; --*attempts) {
		nanosleep(&pause, NULL);
		removed = qs_overwrite_before(stream, &end);
	}
	if (removed == 0) copy->oldest.packets += 1;
	else set_last_packet(copy);
	return removed;
}
