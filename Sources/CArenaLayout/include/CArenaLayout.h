// The layout of the recorder's memory and of its packets, from the headers of the recorder, for readers in Swift. Swift
// imports the constants and no code of the recorder.
#ifndef CARENALAYOUT_H
#define CARENALAYOUT_H

#include <stddef.h>

#include "../../CTraceRecorder/Events/arena_layout.h"
#include "../../CTraceRecorder/Events/packet.h"

// Offsets of the fields, and sizes, in bytes.
enum {
	QS_HEAD_MAGIC = offsetof(struct qs_arena_head, magic),
	QS_HEAD_VERSION = offsetof(struct qs_arena_head, version),
	QS_HEAD_UUID = offsetof(struct qs_arena_head, uuid),
	QS_HEAD_SEGMENTS = offsetof(struct qs_arena_head, segments),
	QS_HEAD_FIRST_STREAM = offsetof(struct qs_arena_head, first_stream),
	QS_HEAD_LOST = offsetof(struct qs_arena_head, lost),
	QS_HEAD_OVERWRITTEN = offsetof(struct qs_arena_head, overwritten),
	QS_HEAD_WINDOW_BEGIN = offsetof(struct qs_arena_head, window_begin),
	QS_HEAD_DIRECTORY_LENGTH = offsetof(struct qs_arena_head, directory_length),
	QS_HEAD_DIRECTORY = offsetof(struct qs_arena_head, directory),
	QS_HEAD_SIZE = sizeof(struct qs_arena_head),

	QS_CHUNK_STREAM = offsetof(struct qs_chunk, stream),
	QS_CHUNK_ORDER = offsetof(struct qs_chunk, order),
	QS_CHUNK_BYTES = offsetof(struct qs_chunk, bytes),
	QS_CHUNK_SIZE = sizeof(struct qs_chunk),

	QS_RECORD_KIND = offsetof(struct qs_stream_record, kind),
	QS_RECORD_COMMITTED = offsetof(struct qs_stream_record, committed),
	QS_RECORD_DISCARDED = offsetof(struct qs_stream_record, discarded),
	QS_RECORD_COPIED = offsetof(struct qs_stream_record, copied),
	QS_RECORD_SIZE = sizeof(struct qs_stream_record),

	QS_COPIED_FILE_END = offsetof(struct qs_copied, file_end),
	QS_COPIED_PACKETS = offsetof(struct qs_copied, packets),
	QS_COPIED_ORDER = offsetof(struct qs_copied, order),
	QS_COPIED_CHUNK_BYTES = offsetof(struct qs_copied, chunk_bytes),
	QS_COPIED_LAST_PACKET = offsetof(struct qs_copied, last_packet),
	QS_COPIED_SIZE = sizeof(struct qs_copied),

	QS_PACKET_UUID = offsetof(struct qs_packet, uuid),
	QS_PACKET_STREAM_INSTANCE_ID = offsetof(struct qs_packet, stream_instance_id),
	QS_PACKET_TIMESTAMP_BEGIN = offsetof(struct qs_packet, timestamp_begin),
	QS_PACKET_TIMESTAMP_END = offsetof(struct qs_packet, timestamp_end),
	QS_PACKET_CONTENT_SIZE = offsetof(struct qs_packet, content_size),
	QS_PACKET_PACKET_SIZE = offsetof(struct qs_packet, packet_size),
	QS_PACKET_PACKET_SEQ_NUM = offsetof(struct qs_packet, packet_seq_num),
	QS_PACKET_EVENTS_DISCARDED = offsetof(struct qs_packet, events_discarded),
	QS_PACKET_TID = offsetof(struct qs_packet, tid),
	QS_PACKET_EVENT_COUNT = offsetof(struct qs_packet, event_count),

	QS_OWNER_OFFSET = offsetof(struct qs_owner, offset),
	QS_OWNER_TID = offsetof(struct qs_owner, tid),
	QS_OWNER_TIME = offsetof(struct qs_owner, time),
	QS_OWNER_SIZE = sizeof(struct qs_owner),
};

#endif
