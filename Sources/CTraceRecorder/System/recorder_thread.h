// Threads of the recorder.
#ifndef QS_RECORDER_THREAD_H
#define QS_RECORDER_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// Name of the threads.
#define QS_RECORDER_NAME "queuescope"

enum qs_thread_stack {
	// For threads that run only code of the recorder.
	QS_SMALL_STACK,
	// The default stack size of the program's threads, for a thread that runs code of the program.
	QS_WHOLE_STACK,
};

// Starts a thread with all signals blocked. Returns false when the system cannot create one.
bool qs_recorder_thread_start(pthread_t *thread, enum qs_thread_stack stack, void *(*body)(void *), void *argument);

#endif
