// Worker threads of libdispatch, which has one pool per root queue. An idle worker sleeps on the semaphore of its pool.
#ifndef QS_WORKERS_H
#define QS_WORKERS_H

#include "hooks.h"

// Whether this thread is a worker that is older than the session. libdispatch calls the exported function for the wait
// of its workers only. Sets the thread's root queue.
bool qs_worker_adopt(void *semaphore);

// Records that this worker waits on its pool's semaphore until it is woken or its idle time is over. Calls the
// original.
intptr_t qs_worker_park(void *semaphore, uint64_t timeout);

// Records that libdispatch signals a pool's semaphore to wake a worker. Calls the original and returns its result.
intptr_t qs_worker_request(void *semaphore);

#endif
