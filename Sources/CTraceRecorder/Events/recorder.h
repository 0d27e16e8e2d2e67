// The recorder thread as all other code sees it: whether it runs, and how it is woken. service.h is its work.
#ifndef QS_RECORDER_H
#define QS_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

// Starts the thread. Returns false when no thread can be created. Context: a session's start, under its lock.
bool qs_recorder_start(void *(*body)(void *));

// Whether it was started and not stopped. Context: any thread.
bool qs_recorder_is_running(void);

// Wakes the thread. Costs a futex wake. Context: any thread, also a signal handler.
void qs_recorder_wake(void);

// Number of wake-ups so far. Context: the recorder thread, before it looks for work.
uint32_t qs_recorder_requests(void);

// Sleeps until the number of wake-ups differs from `requests`, or until this time of CLOCK_MONOTONIC, in nanoseconds.
// Context: the recorder thread.
void qs_recorder_sleep(uint32_t requests, int64_t until_ns);

// Waits until the thread has ended, unless another thread does. Context: any other thread.
void qs_recorder_join(void);

// Marks the recorder thread as gone: after it was stopped, in a forked child, or when it exits on its own.
void qs_recorder_forget(void);

// Whether this process is a child of _Fork, or of the system call, which run no fork handlers. The session and the
// recorder thread then belong to the parent, and this process stops recording.
bool qs_recorder_leave_to_parent(void);

// The thread that starts a session late (late_start.h), while it runs. It is a thread of the recorder, so its context
// switches are not recorded. 0: none.
void qs_recorder_set_late_starter(uint32_t tid);
bool qs_recorder_is_late_starter(uint32_t tid);

// The thread that serves the control socket (control.h). It is a thread of the recorder, too. 0: none.
void qs_recorder_set_control_thread(uint32_t tid);
bool qs_recorder_is_control_thread(uint32_t tid);

// atomic: the recorder thread of a second recorder, which joined this session (shared_session.h). It writes the number.
// 0: none.
extern uint32_t qs_second_recorder;

// Whether this is another thread of the recorder than the recorder thread itself. Such threads are not recorded.
bool qs_recorder_owns(uint32_t tid);

#endif
