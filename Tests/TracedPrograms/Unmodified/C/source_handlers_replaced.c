// The event handler of a source is replaced by another block, a function, NULL, and a block again.
#include "check.h"
#include <dispatch/dispatch.h>

static char letters[8];
static int length;

static void function_handler(void *context)
{
	CHECK(context == letters);
	letters[length++] = 'f';
}

static void fire(dispatch_source_t source, dispatch_queue_t queue)
{
	dispatch_source_merge_data(source, 1);
	dispatch_sync(queue, ^{ });
	// The handler may run after the wait: the source's own queue is drained in turns.
	dispatch_sync(queue, ^{ });
}

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("replaced", NULL);
	dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
	dispatch_semaphore_t done = dispatch_semaphore_create(0);

	dispatch_set_context(source, letters);
	dispatch_source_set_event_handler(source, ^{ letters[length++] = 'x'; });
	dispatch_source_set_event_handler(source, ^{ letters[length++] = 'a'; });
	dispatch_resume(source);
	fire(source, queue);

	dispatch_suspend(source);
	dispatch_source_set_event_handler(source, ^{ letters[length++] = 'b'; });
	dispatch_resume(source);
	fire(source, queue);

	dispatch_suspend(source);
	dispatch_source_set_event_handler_f(source, function_handler);
	dispatch_resume(source);
	fire(source, queue);

	dispatch_suspend(source);
	dispatch_source_set_event_handler(source, NULL);
	dispatch_resume(source);
	fire(source, queue);

	dispatch_suspend(source);
	dispatch_source_set_event_handler(source, ^{ letters[length++] = 'c'; });
	dispatch_resume(source);
	fire(source, queue);

	dispatch_source_set_cancel_handler(source, ^{ CHECK(0); });
	dispatch_source_set_cancel_handler(source, NULL);
	dispatch_source_set_cancel_handler(source, ^{ dispatch_semaphore_signal(done); });
	dispatch_source_cancel(source);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	printf("%s\n", letters);
	dispatch_release(source);
	dispatch_release(queue);
	return 0;
}
