// Handlers and target of a source change after its activation: libdispatch accepts this and logs a warning.
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t first = dispatch_queue_create("retargeted.first", NULL);
	dispatch_queue_t second = dispatch_queue_create("retargeted.second", NULL);
	dispatch_semaphore_t done = dispatch_semaphore_create(0);

	dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, first);
	dispatch_source_set_event_handler(source, ^{ CHECK(0); });
	dispatch_activate(source);
	dispatch_set_target_queue(source, second);
	dispatch_source_set_event_handler(source, ^{
		dispatch_assert_queue(second);
		dispatch_semaphore_signal(done);
	});
	// Both changes are work items of the source.
	dispatch_sync(first, ^{ });
	dispatch_sync(second, ^{ });
	dispatch_source_merge_data(source, 1);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	puts("on the second queue");
	dispatch_source_cancel(source);
	return 0;
}
