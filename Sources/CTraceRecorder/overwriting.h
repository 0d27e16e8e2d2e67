// The flight recorder: when the trace has its size, the oldest packets of its files go, so that the newest stay.
//
//	file   ├ head ┼ ┄ ┄ ┄ ┄ hole ┄ ┄ ┄ ┄ ┼ packet ┼ packet ┤
//
// The head is that of the last packet that went: a packet without events, as long as all that went, which readers of
// CTF pass over. The hole takes no room on the disk. So the file is a whole stream after every system call, and what
// is at its end is found at the same offsets.
//
// The definitions stay: whatever is left refers to them.
#ifndef QS_OVERWRITING_H
#define QS_OVERWRITING_H

#include <stdint.h>

struct qs_stream;

// Has the oldest packets of all streams go, `bytes` or more. Returns how many went: 0 when there is nothing left that
// may, a reader has the trace open, or the file system knows no holes. Context: the recorder's thread.
uint64_t qs_overwrite_oldest(uint64_t bytes);

#endif
