// A main thread that ends before the others, by pthread_exit.
//
// The C library calls exit when the last thread has ended. It counts the recorder's thread, which ends only when
// exit is called.
//
// Or it ends by the system call itself, or by a filter for those: then nobody calls exit, and the process ends with its
// last thread, which must not be the recorder's for long.
#ifndef QS_MAIN_THREAD_END_H
#define QS_MAIN_THREAD_END_H

#include <stdbool.h>
#include <stdint.h>

// When the main thread, which calls this, ends while the recorder's thread runs, another thread waits for the end of
// the program's threads, and calls exit as the C library would; where there can be no other thread, the session ends.
// Without effect on another thread.
void qs_main_thread_prepare_end(void);

enum qs_program_end {
	QS_PROGRAM_GOES_ON,
	QS_PROGRAM_IS_UNKNOWN, // it cannot be seen: the recorder's thread must end, for the C library to call exit
	QS_PROGRAM_IS_GONE,    // nobody calls exit: qs_main_thread_leave_status ends the process
};

// Looks whether the program's other threads have ended, after the main thread. `*due_ns`: when to look again. Context:
// the recorder's thread, whose root directory and descriptors the program cannot change.
enum qs_program_end qs_main_thread_watch(int64_t now_ns, int64_t *due_ns);

// Ends the last thread of the process, which calls this, so that the process ends as it would have without it.
void qs_main_thread_leave_status(void);

#endif
