// Flight recorder: when the trace has reached its size, the oldest packets of its files are removed.
//
//	file   ├ head ┼ ┄ ┄ ┄ ┄ hole ┄ ┄ ┄ ┄ ┼ packet ┼ packet ┤
//
// The head is the head of the last removed packet. It describes a packet without events that is as long as all removed
// packets; readers of CTF skip it. The hole takes no room on the disk. So the file is a complete stream after every
// system call, and offsets in it never change.
//
// Definitions are removed by generations, because the remaining events refer to them: see generations.h.
#ifndef QS_OVERWRITING_H
#define QS_OVERWRITING_H

#include <stdint.h>

struct qs_stream;

// Removes the oldest packets of all streams, `bytes` or more. Returns the number of bytes removed: 0 when no further
// packet may be removed, a reader has the trace open, or the file system does not support holes. Context: the recorder
// thread.
uint64_t qs_overwrite_oldest(uint64_t bytes);

// A place between two packets in the file of a stream.
struct qs_packet_end {
	uint64_t offset;      // in the file, in bytes
	uint32_t packets;     // packets before it, since the file's begin
	uint32_t last_packet; // size of the last of them, in bytes
};

// Removes all packets of a stream before this place, at least two. Returns the number of bytes removed, or 0, as above.
uint64_t qs_overwrite_before(struct qs_stream *stream, const struct qs_packet_end *end);

// Removes all packets of a stream that end before this time, also the last packet. Then the number of the next packet
// shows that packets are missing, as after a gap. Notes the time of the removed events. Returns the number of bytes
// removed, or 0, as above. For a flight recorder in memory, which shows the time of removed events to readers
// (memory_ring.h).
uint64_t qs_overwrite_until(struct qs_stream *stream, uint64_t time);

// Prepares the file of a stream for a write after a gap: chunks were overwritten in memory (memory_ring.h). Removes all
// packets of the file, which are older. While a reader has the trace open, tries again this number of times after 5 ms.
// If that fails, the packets stay, and the numbers of the packets show the gap. Returns the number of bytes removed.
uint64_t qs_overwrite_before_gap(struct qs_stream *stream, int *attempts);

#endif
