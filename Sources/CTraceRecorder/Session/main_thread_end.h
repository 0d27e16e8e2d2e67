// A main thread that ends before the other threads.
//
// With pthread_exit, the C library calls exit when the last thread has ended. It counts the recorder thread, which ends
// only when exit is called.
//
// If the main thread ends by SYS_exit or a seccomp kill, exit() is never called. The recorder thread must then end the
// process itself, because it would otherwise keep it alive.
#ifndef QS_MAIN_THREAD_END_H
#define QS_MAIN_THREAD_END_H

#include <stdbool.h>
#include <stdint.h>

// Resets the state of the previous session. `stop` is qs_session_stop. Context: a session's start, before the recorder
// thread is created.
void qs_main_thread_begin_session(uint64_t (*stop)(void));

// Prepares for the end of the main thread while the recorder thread runs: a successor thread then waits for the end of
// the program's threads, and calls exit as the C library would. If no thread can be created, the session ends. If the
// main thread has already ended, the successor starts now. Context: a session's start. Has an effect only on the main
// thread, or after its end.
void qs_main_thread_prepare_end(void);

// Sets a function that the main thread calls at its end. It closes the control socket, so that the C library calls exit
// after the last thread of the program. Context: any.
void qs_main_thread_call_at_end(void (*close)(void));

// Resets the state in a forked child, whose main thread is the thread that forked.
void qs_main_thread_forget(void);

enum qs_program_end {
	QS_PROGRAM_GOES_ON,
	QS_PROGRAM_IS_UNKNOWN, // /proc cannot be read: the recorder thread must end, so that the C library calls exit
	QS_PROGRAM_IS_GONE,    // exit is never called: qs_main_thread_leave_status ends the process
};

// Checks whether the program's other threads have ended, after the main thread has. `*due_ns`: time of the next check.
// Context: the recorder thread, whose root directory and descriptors the program cannot change.
enum qs_program_end qs_main_thread_watch(int64_t now_ns, int64_t *due_ns);

// Tells the recorder thread that a thread of the program ends, if it waits for that. Context: the thread's end.
void qs_main_thread_note_thread_end(void);

// Wakes the successor, so that it sees the end of the session. Context: any thread, after the session.
void qs_main_thread_wake_successor(void);

// Whether the main thread has ended while other threads exist. Context: a thread with its own root directory.
bool qs_main_thread_is_zombie(void);

// Whether the main thread has ended and no other thread of the program exists. qs_main_thread_leave_status then ends
// the process. Context: as above.
bool qs_main_thread_was_last(void);

// Ends the calling thread, the last one of the process, with the status that the process would have had without it.
void qs_main_thread_leave_status(void);

#endif
