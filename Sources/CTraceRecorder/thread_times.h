// What the kernel's scheduler has counted for each thread: /proc/self/task/TID/schedstat. A thread of the program does
// not open that: it would take a descriptor's number from the program.
#ifndef QS_THREAD_TIMES_H
#define QS_THREAD_TIMES_H

#include <stdbool.h>
#include <stdint.h>

// Whether this kernel counts. Some are built without it, and some systems have no /proc.
bool qs_thread_times_exist(void);

// Writes the `thread_times` of a thread into the calling thread's stream.
void qs_thread_times_record(uint32_t tid);

// Writes the `thread_times` of the calling thread into its stream, without the delay, and opens no file.
void qs_thread_times_record_own(void);

// Writes the `thread_times` of every thread but one into the calling thread's stream.
void qs_thread_times_record_all(uint32_t but_tid);

#endif
