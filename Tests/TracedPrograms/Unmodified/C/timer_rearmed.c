// A timer that its handler arms again, by wall clock and by uptime, with a repeating and a strict timer.
#include "check.h"
#include <dispatch/dispatch.h>

int main(void)
{
	dispatch_queue_t queue = dispatch_queue_create("rearmed", NULL);
	dispatch_semaphore_t done = dispatch_semaphore_create(0);

	dispatch_source_t timer = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, queue);
	__block int count = 0;
	dispatch_source_set_event_handler(timer, ^{
		if (++count == 20) {
			dispatch_source_cancel(timer);
			return;
		}
		dispatch_time_t next = count % 2 ? dispatch_walltime(NULL, NSEC_PER_MSEC / 2)
						 : dispatch_time(DISPATCH_TIME_NOW, NSEC_PER_MSEC / 2);
		dispatch_source_set_timer(timer, next, DISPATCH_TIME_FOREVER, 0);
	});
	dispatch_source_set_cancel_handler(timer, ^{ dispatch_semaphore_signal(done); });
	dispatch_source_set_timer(timer, DISPATCH_TIME_NOW, DISPATCH_TIME_FOREVER, 0);
	dispatch_activate(timer);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);

	dispatch_source_t strict =
		dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, DISPATCH_TIMER_STRICT, dispatch_get_global_queue(-2, 0));
	__block unsigned long ticks = 0;
	dispatch_source_set_event_handler(strict, ^{
		ticks += dispatch_source_get_data(strict);
		if (ticks >= 10)
			dispatch_source_cancel(strict);
	});
	dispatch_source_set_cancel_handler(strict, ^{ dispatch_semaphore_signal(done); });
	dispatch_source_set_timer(strict, DISPATCH_TIME_NOW, NSEC_PER_MSEC, 0);
	dispatch_activate(strict);
	dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
	CHECK(dispatch_source_testcancel(strict) != 0);

	printf("%d times\n", count);
	dispatch_release(strict);
	dispatch_release(timer);
	dispatch_release(queue);
	return 0;
}
