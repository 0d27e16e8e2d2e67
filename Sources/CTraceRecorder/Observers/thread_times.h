// Statistics of the kernel's scheduler for each thread: /proc/self/task/TID/schedstat. Program threads do not open this
// file, because that would take a descriptor number from the program.
#ifndef QS_THREAD_TIMES_H
#define QS_THREAD_TIMES_H

#include <stdbool.h>
#include <stdint.h>

// Whether this kernel has the statistics. Some kernels are built without them, and some systems have no /proc.
bool qs_thread_times_exist(void);

// Writes the `thread_times` of a thread into the calling thread's stream.
void qs_thread_times_record(uint32_t tid);

// Writes the `thread_times` of the calling thread into its stream, without the delay, and opens no file.
void qs_thread_times_record_own(void);

// Writes the `thread_times` of every thread except one, and except the other threads of the recorder, into the calling
// thread's stream.
void qs_thread_times_record_all(uint32_t but_tid);

#endif
