// Recorder thread: copies events into the trace's files, provides free memory, reads the kernel's context switches, and
// updates the clock's calibration. It shares neither descriptors nor the working directory with the program, and blocks
// all signals.
#ifndef QS_SERVICE_H
#define QS_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

// Starts the thread for a new session, and waits until it is ready. Returns false when no thread can be created; then
// nothing can be recorded. `stop` is qs_session_stop, for a main thread that
// ends. Context: under the session's lock.
bool qs_service_start(uint64_t (*stop)(void));

// Stops the thread after all writers have finished: it copies the rest and completes the files. Returns false when that
// takes longer than 10 s, or when the thread waits for the loader's lock. The thread then continues on its own, and a
// later reader recovers the rest from the arena.
bool qs_service_stop(void);

// Requests a copy of everything that was recorded so far, and waits for it, for at most this time. `to_disk`: including
// fsync. Returns false after a timeout.
bool qs_service_flush(bool to_disk, long milliseconds);

// Requests the recording of images, if any are wanted, and waits for it with a short time limit: the loader's lock may
// be held by the calling thread, or by a thread that never releases it.
void qs_service_record_images(void);

// Unblocks the signal by which Swift's runtime stops every thread of a crashing program to print their stacks, and
// waits for that with a short time limit. The signal is blocked until then, because a program may use it for another
// purpose. Context: also a signal handler.
void qs_service_let_stop_signal_through(void);

#endif
