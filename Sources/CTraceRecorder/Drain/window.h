// The window of a flight recorder in memory: the length of the past that a trace keeps.
//
//	                            begin of the window            now
//	stream   ┊ file ┊ chunk ─ chunk ─┊─ chunk ─ chunk ─ current ┤
//	         ├ removed ─────────┤
//
// Removes the packets that end before the window, in memory and in the files of earlier snapshots: once a second, and
// before every flush, which includes the end of the session. So a trace that is recovered after a kill has up to a
// second more. A packet that ends in the window stays whole. Definitions stay (generations.h).
//
// The memory may be too small for the window. Then events of the window are overwritten, too, and the file
// `overwritten` shows it (memory_ring.h).
#ifndef QS_WINDOW_H
#define QS_WINDOW_H

#include <stdint.h>

// Starts a session with a window of this length; 0: without a window. Without effect unless the arena is a ring.
void qs_window_start(uint64_t length_ns);

// Removes the packets that end before the window. Context: the recorder thread, while the list of the oldest chunks is
// closed.
void qs_window_apply(void);

#endif
