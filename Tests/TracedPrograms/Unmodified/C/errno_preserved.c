// errno is preserved by every call that does not set it.
#include "check.h"
#include "unlisted.h"
#include <errno.h>
#include <pthread.h>

#define CHECK_ERRNO(call)                 \
	do {                              \
		errno = 4711;             \
		call;                     \
		CHECK(errno == 4711);     \
	} while (0)

int main(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	dispatch_queue_t queue, concurrent;
	dispatch_group_t group;
	dispatch_semaphore_t semaphore;
	dispatch_source_t source;

	CHECK_ERRNO(queue = dispatch_queue_create("errno", NULL));
	CHECK_ERRNO(concurrent = dispatch_queue_create("errno.concurrent", DISPATCH_QUEUE_CONCURRENT));
	CHECK_ERRNO(group = dispatch_group_create());
	CHECK_ERRNO(semaphore = dispatch_semaphore_create(1));
	for (int round = 0; round < 100; round++) {
		CHECK_ERRNO(dispatch_sync(queue, ^{ errno = 4711; }));
		CHECK_ERRNO(dispatch_barrier_sync(concurrent, ^{ }));
		CHECK_ERRNO(dispatch_sync(concurrent, ^{ }));
		CHECK_ERRNO(dispatch_group_enter(group));
		CHECK_ERRNO(dispatch_group_leave(group));
		CHECK_ERRNO(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER));
		CHECK_ERRNO(dispatch_semaphore_signal(semaphore));
		CHECK_ERRNO(pthread_mutex_lock(&mutex));
		CHECK_ERRNO(CHECK(pthread_mutex_trylock(&mutex) == EBUSY));
		CHECK_ERRNO(pthread_mutex_unlock(&mutex));
	}
	// A synchronous item may set errno for its caller.
	dispatch_sync(queue, ^{ errno = 815; });
	CHECK(errno == 815);
	CHECK_ERRNO(source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue));
	CHECK_ERRNO(dispatch_source_set_event_handler(source, ^{ }));
	CHECK_ERRNO(dispatch_source_cancel(source));
	CHECK_ERRNO(dispatch_activate(source));
	CHECK_ERRNO(dispatch_suspend(concurrent));
	CHECK_ERRNO(dispatch_async(concurrent, ^{ }));
	CHECK_ERRNO(dispatch_block_t object = dispatch_block_create(0, ^{ }); object());
	dispatch_resume(concurrent);
	dispatch_barrier_sync(concurrent, ^{ });
	puts("preserved");
	return 0;
}
