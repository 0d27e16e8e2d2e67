// The recorder's own threads.
#ifndef QS_RECORDER_THREAD_H
#define QS_RECORDER_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// Starts a thread with all signals blocked and a small stack. False when the system has none.
bool qs_recorder_thread_start(pthread_t *thread, void *(*body)(void *), void *argument);

#endif
