// The end of a queue: finalizer with context, destructors of specifics; its own items retain it until they ran.
#include "check.h"
#include <dispatch/dispatch.h>
#include <stdatomic.h>

static int key, other_key;
static dispatch_semaphore_t ended;
// Destructors and finalizer run in any order.
static atomic_int destroyed, finalized;

static void destroy(void *value)
{
	atomic_fetch_add(&destroyed, *(const char *)value == '1' ? 1 : 10);
	dispatch_semaphore_signal(ended);
}

static void finalize(void *context)
{
	CHECK(*(const char *)context == 'c');
	atomic_fetch_add(&finalized, 1);
	dispatch_semaphore_signal(ended);
}

int main(void)
{
	ended = dispatch_semaphore_create(0);
	dispatch_queue_t queue = dispatch_queue_create("ends", NULL);
	dispatch_queue_set_specific(queue, &key, "1", destroy);
	// The replaced value's destructor runs as well.
	dispatch_queue_set_specific(queue, &key, "2", destroy);
	dispatch_semaphore_wait(ended, DISPATCH_TIME_FOREVER);
	dispatch_queue_set_specific(queue, &other_key, "other", NULL);
	dispatch_set_context(queue, "context");
	dispatch_set_finalizer_f(queue, finalize);
	CHECK(dispatch_queue_get_specific(queue, &key) != NULL);
	CHECK(dispatch_get_specific(&key) == NULL);
	dispatch_async(queue, ^{ printf("item %s\n", (const char *)dispatch_get_specific(&key)); });
	dispatch_sync(queue, ^{ printf("item %s\n", (const char *)dispatch_get_specific(&other_key)); });
	dispatch_release(queue);
	dispatch_semaphore_wait(ended, DISPATCH_TIME_FOREVER);
	dispatch_semaphore_wait(ended, DISPATCH_TIME_FOREVER);

	// Without a context the finalizer is not called.
	dispatch_queue_t silent = dispatch_queue_create("silent", NULL);
	dispatch_set_finalizer_f(silent, finalize);
	dispatch_release(silent);
	dispatch_barrier_sync(dispatch_get_global_queue(0, 0), ^{ });
	printf("destroyed %d, finalized %d\n", destroyed, finalized);
	return 0;
}
