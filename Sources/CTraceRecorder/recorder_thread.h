// The recorder's own threads.
#ifndef QS_RECORDER_THREAD_H
#define QS_RECORDER_THREAD_H

#include <pthread.h>
#include <stdbool.h>

enum qs_thread_stack {
	// Enough for the recorder.
	QS_SMALL_STACK,
	// As much as the program's threads have: it runs code of the program.
	QS_WHOLE_STACK,
};

// Starts a thread with all signals blocked. False when the system has none.
bool qs_recorder_thread_start(pthread_t *thread, enum qs_thread_stack stack, void *(*body)(void *), void *argument);

#endif
