// A timer that is set while its source is suspended, set again, and then resumed: the last setting applies.
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("timer", NULL);
	dispatch_source_t timer = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, queue);
	dispatch_semaphore_t fired = dispatch_semaphore_create(0);
	__block int count = 0;

	dispatch_source_set_event_handler(timer, ^{
		count++;
		CHECK(dispatch_source_get_data(timer) >= 1);
		dispatch_semaphore_signal(fired);
	});
	dispatch_source_set_timer(timer, dispatch_time(DISPATCH_TIME_NOW, 3600 * NSEC_PER_SEC), DISPATCH_TIME_FOREVER, 0);
	dispatch_source_set_timer(timer, dispatch_time(DISPATCH_TIME_NOW, NSEC_PER_MSEC), DISPATCH_TIME_FOREVER, 0);
	dispatch_resume(timer);
	dispatch_semaphore_wait(fired, DISPATCH_TIME_FOREVER);

	dispatch_suspend(timer);
	dispatch_source_set_timer(timer, DISPATCH_TIME_NOW, DISPATCH_TIME_FOREVER, 0);
	CHECK(dispatch_semaphore_wait(fired, dispatch_time(DISPATCH_TIME_NOW, 20 * NSEC_PER_MSEC)) != 0);
	dispatch_resume(timer);
	dispatch_semaphore_wait(fired, DISPATCH_TIME_FOREVER);

	// Suspended again and disarmed: it must not fire.
	dispatch_suspend(timer);
	dispatch_source_set_timer(timer, DISPATCH_TIME_FOREVER, DISPATCH_TIME_FOREVER, 0);
	dispatch_resume(timer);
	CHECK(dispatch_semaphore_wait(fired, dispatch_time(DISPATCH_TIME_NOW, 20 * NSEC_PER_MSEC)) != 0);
	dispatch_source_cancel(timer);
	dispatch_sync(queue, ^{ });
	printf("fired %d times\n", count);
	dispatch_release(timer);
	dispatch_release(queue);
	return 0;
}
