// Flight recorder: when the trace has reached its size, the oldest packets of its files are removed.
//
//	file   ├ head ┼ ┄ ┄ ┄ ┄ hole ┄ ┄ ┄ ┄ ┼ packet ┼ packet ┤
//
// The head is the head of the last removed packet. It describes a packet without events that is as long as all removed
// packets; readers of CTF skip it. The hole takes no room on the disk. So the file is a complete stream after every
// system call, and offsets in it never change.
//
// Definitions are never removed, because the remaining events refer to them.
#ifndef QS_OVERWRITING_H
#define QS_OVERWRITING_H

#include <stdint.h>

struct qs_stream;

// Removes the oldest packets of all streams, `bytes` or more. Returns the number of bytes removed: 0 when no further
// packet may be removed, a reader has the trace open, or the file system does not support holes. Context: the recorder
// thread.
uint64_t qs_overwrite_oldest(uint64_t bytes);

#endif
