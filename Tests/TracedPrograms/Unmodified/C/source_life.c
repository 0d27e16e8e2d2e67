// The life of a source: registration, events, cancellation in its own handler, then no further event.
#include "check.h"
#include "unlisted.h"

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("life", NULL);
	dispatch_semaphore_t done = dispatch_semaphore_create(0);

	dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
	dispatch_source_set_registration_handler(source, ^{ puts("registered"); });
	dispatch_source_set_event_handler(source, ^{
		puts("event");
		dispatch_source_cancel(source);
		dispatch_source_merge_data(source, 1);
	});
	dispatch_source_set_cancel_handler(source, ^{
		CHECK(dispatch_source_testcancel(source) != 0);
		puts("cancelled");
		dispatch_semaphore_signal(done);
	});
	dispatch_resume(source);
	dispatch_source_merge_data(source, 1);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	dispatch_source_merge_data(source, 1);
	dispatch_sync(queue, ^{ });
	dispatch_release(source);

	// Cancelled before its activation, and without an event handler.
	dispatch_source_t bare = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, NULL);
	dispatch_source_set_cancel_handler(bare, ^{ puts("bare cancelled"); dispatch_semaphore_signal(done); });
	dispatch_source_cancel(bare);
	dispatch_activate(bare);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	dispatch_release(bare);

	// Invalid arguments.
	CHECK(dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 1, 0, queue) == NULL);
	CHECK(dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, ~0UL, queue) == NULL);

	dispatch_source_t waited = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
	dispatch_source_set_event_handler(waited, ^{ });
	dispatch_activate(waited);
	dispatch_source_cancel_and_wait(waited);
	CHECK(dispatch_source_testcancel(waited) != 0);
	dispatch_release(waited);
	dispatch_release(queue);
	puts("done");
	return 0;
}
