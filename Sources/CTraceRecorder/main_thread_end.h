// A main thread that ends before the others, by pthread_exit.
//
// The C library calls exit when the last thread has ended. It counts the recorder's thread, which ends only when
// exit is called.
#ifndef QS_MAIN_THREAD_END_H
#define QS_MAIN_THREAD_END_H

#include <stdbool.h>
#include <stdint.h>

// When the main thread, which calls this, ends while the recorder's thread runs, another thread waits for the end of
// the program's threads, and calls exit as the C library would; where there can be no other thread, the session ends.
// Without effect on another thread. Context: under the session's lock.
void qs_main_thread_prepare_end(void);

// Looks whether the program's other threads have ended, after the main thread. `*due_ns`: when to look again. False
// when that cannot be seen: then the caller must end, for the C library to call exit. Context: the recorder's thread,
// whose root directory and descriptors the program cannot change.
bool qs_main_thread_watch(int64_t now_ns, int64_t *due_ns);

#endif
