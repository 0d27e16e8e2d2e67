// The recorder's own thread: copies events into the trace's files, keeps memory ready, reads the kernel's context
// switches, and keeps the clock's calibration. It shares neither descriptors nor working directory with the program,
// and blocks all signals.
#ifndef QS_SERVICE_H
#define QS_SERVICE_H

#include <stdbool.h>

// What its thread is called.
#define QS_SERVICE_NAME "queuescope"

// Starts it for a session that is about to begin, and waits until it can be relied on. False when the system has no
// thread: nothing can be recorded. Context: under the session's lock.
bool qs_service_start(void);

// Ends it when no thread writes any more: it copies the rest and completes the files. False when the disk does not
// take them within ten seconds, or when it waits for the loader's lock: then it is left to itself, and what is in the
// arena to whoever finds it.
bool qs_service_stop(void);

// Waits until its thread is gone, unless somebody else does. Context: any other thread.
void qs_service_join(void);

// Whether it was started and not stopped. Context: any thread.
bool qs_service_is_running(void);

// Has it look at once. Costs a futex wake. Context: any thread, also a signal handler.
void qs_service_wake(void);

// Has it copy what was recorded so far, and waits for that, or for so long. `to_disk`: also until the disk has it.
// False when the time was over.
bool qs_service_flush(bool to_disk, long milliseconds);

// Has it record images if they are wanted, and waits for that, but not for long: the loader's lock may be held by this
// very thread, or by one that never goes on.
void qs_service_record_images(void);

// Lets the signal reach it by which Swift's runtime stops every thread of a program that crashes, to print their
// stacks, and waits until it does, but not for long. It is blocked until then: a program may use it for something else.
// Context: also a signal handler.
void qs_service_let_stop_signal_through(void);

// Where it is not: in a forked child, or when it ends by itself.
void qs_service_forget(void);

#endif
