// The worker threads of libdispatch: made by it, one pool for each root queue. An idle worker sleeps on its pool's
// semaphore.
#ifndef QS_WORKERS_H
#define QS_WORKERS_H

#include "hooks.h"

// This worker thread waits on its pool's semaphore, until it is woken or has been idle for too long.
intptr_t qs_worker_park(void *semaphore, uint64_t timeout);

// libdispatch signals a pool's semaphore to wake a worker: what the original returns.
intptr_t qs_worker_request(void *semaphore);

#endif
