// A main thread that ends before the others, by pthread_exit.
//
// The C library calls exit when the last thread has ended. It counts the recorder's thread, which ends only when
// exit is called.
#ifndef QS_MAIN_THREAD_END_H
#define QS_MAIN_THREAD_END_H

// When the main thread, which calls this, ends while the recorder's thread runs, another thread waits for the end of
// the program's threads, and calls exit as the C library would. Without effect on another thread. Context: under the
// session's lock.
void qs_main_thread_prepare_end(void);

#endif
