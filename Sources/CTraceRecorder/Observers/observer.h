// An observer measures something about the process in addition to the program's own events. The recorder thread runs
// all observers from one table (observers.c).
#ifndef QS_OBSERVER_H
#define QS_OBSERVER_H

#include <stdint.h>

// Context of all functions, unless stated otherwise: the recorder thread, which records no events of its own
// (qs_thread_inside).
struct qs_observer {
	// Starts for a session that the thread `starter_tid` starts, while that thread holds the session's lock and waits.
	void (*start)(uint32_t starter_tid);

	// Begins to observe, directly before the starter continues. NULL: nothing.
	void (*begin)(void);

	// Works if it is time. Returns the time of the next call, in nanoseconds of CLOCK_MONOTONIC; INT64_MAX: never.
	int64_t (*tick)(int64_t now_ns);

	// Writes the remaining events, before they are copied for the last time. NULL: there are none.
	void (*stop)(void);

	// Releases what the files still need after the stop. NULL: nothing.
	void (*release)(void);

	// Writes the observer's definitions. Context: any thread, while a session records. NULL: there are none.
	void (*define)(void);

	// Resets the state in a forked child. NULL: there is none.
	void (*forget)(void);
};

#endif
