// Snapshots of the session that a signal requests: QUEUESCOPE_SNAPSHOT_SIGNAL. `TraceSession.snapshot` and
// `queuescope snapshot` do the same.
//
// The handler only wakes the control thread, which makes the copy. So a program that gets the signal in any thread
// continues at once. The recorder takes a signal only if its action is the default action, and a program that installs
// its own handler later replaces the recorder's.
#ifndef QS_SESSION_SNAPSHOT_H
#define QS_SESSION_SNAPSHOT_H

#include <stdbool.h>

// Reads QUEUESCOPE_SNAPSHOT_SIGNAL and QUEUESCOPE_SNAPSHOT, and installs the handler. `has_control`: the control thread
// may run. Prints an obstacle on standard error, once. Returns whether the handler is installed, so that the control
// thread is needed. Context: a start of the process.
bool qs_snapshot_signal_install(bool has_control);

// Makes the snapshot if a signal has requested one since the last call. Context: the control thread.
void qs_snapshot_signal_serve(void);

// Result of the last snapshot that a signal requested.
struct qs_signal_snapshot {
	int result; // enum qs_snapshot_error; -1: none was requested
	int system_error;
	const char *directory;
};

// Context: the control thread.
struct qs_signal_snapshot qs_snapshot_signal_last(void);

// In a forked child: forgets a request of its parent.
void qs_snapshot_signal_forget(void);

#endif
